// What the steps of one capture share and hand on to each other.
import type { Format } from "../../options/formats.ts";
import type { BlockReport } from "../adblock/block-report.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserSession } from "../browser/browser.ts";
import type { FrameMode } from "../browser/chromium-flags.ts";
import type { PageEnvironment } from "../emulation/emulation.ts";
import type { Metadata } from "../outputs/metadata/metadata.ts";
import type { Area } from "../outputs/screenshot/area.ts";
import type { Slice } from "../outputs/screenshot/slices.ts";
import type { VideoSize } from "../outputs/video/video-size.ts";
import type { AutoconsentPage } from "../overlays/autoconsent-page.ts";
import type { Dismissal } from "../overlays/page-left.ts";
import type { PageActivity } from "../page/page-activity.ts";
import type { PageRecord } from "../page/page-record.ts";
import type { FrameScheduler } from "../rendering/frame-scheduler.ts";
import type { Budget } from "./budget.ts";

/** What a browser is launched for. */
export interface BrowserUse {
  readonly painting: FrameMode;
  /** True where a video is made of its page, which takes memory beside it. */
  readonly isFilmed: boolean;
}

/** Launches a browser, with an empty page. */
export type LaunchBrowser = (use: BrowserUse) => Promise<BrowserSession>;

export interface CaptureState {
  readonly session: BrowserSession;
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
  readonly activity: PageActivity;
  readonly budget: Budget;
  readonly now: () => number;
  readonly warnings: string[];
  /** The one of them that tells which wait was given up when its time was up; without one the page was ready. */
  givenUp?: string | undefined;
  /** Filled by the steps that keep things out; told where one of them was asked for. */
  readonly blocked: BlockReport;
  /** Id of the document that was found to be the page asked for. */
  confirmed: string;
  /** Id of the document that was looked at last for a wall against robots. */
  passed?: string;
  /** Set by `watch-for-consent`. */
  consent?: { readonly watch: AutoconsentPage; readonly accept: boolean };
  /** The address that was asked for, set by `open-url`. */
  address?: string;
  /** Selector of the element over which the pointer rests, set by `hover`. */
  hovered?: string;
  /** Set by `finish-animations`: what begins later is finished as well. */
  areAnimationsFinished?: true;
  /** The last click on a banner or dialog; cleared before the caller's own clicks and scripts. */
  dismissal?: Dismissal | undefined;
  /** Set by `close-consent`: what is left is hidden from then on. */
  hiding?: Promise<void>;
  /** Set by `disable-scripts`. */
  withoutScripts?: true;
  /** Set by `record`. */
  record?: PageRecord;
  /** Set by `emulate`. */
  window: Pick<PageEnvironment, "width" | "height" | "scale" | "mobile" | "screenMetrics">;
  /** Paints the page where that is done on demand, set by `begin-painting`. */
  pump?: FrameScheduler;
  /** A second browser, set by `start-encoder`: it encodes the video, apart from the page. */
  encoder?: Promise<BrowserSession>;
  /** Set by the framing step. */
  area: Area;
  /** Image pixels per CSS pixel: the device's scale, less where a phone shows a wide page zoomed out. */
  scale: number;
  /** Set by the step that fits the window to the video. */
  video?: VideoSize;
  /** `due` when the page has shown more since its picture was taken: then it is taken again, once. */
  retake?: "due" | "done";
  /** Set by the step that takes pictures, unless Chromium's own bytes are the result: PNGs, top to bottom. */
  strips: readonly Buffer[];
  /** Set by whichever step has the result. */
  output?: { readonly body: Buffer; readonly format: Format };
  slices: readonly Slice[];
  metadata: Metadata & StudiedImage & { blocked?: BlockReport };
}

/** What a capture begins with, before its first step. */
export function createCaptureState(
  given: Pick<CaptureState, "session" | "activity" | "launch" | "lists" | "budget">,
): CaptureState {
  return {
    ...given,
    now: () => performance.now(),
    warnings: [],
    blocked: { requests: 0, dialogs: 0, unlocked: false },
    confirmed: "",
    window: { width: 0, height: 0, scale: 1, mobile: false },
    area: { x: 0, y: 0, width: 0, height: 0 },
    scale: 1,
    strips: [],
    slices: [],
    metadata: {},
  };
}

/** What is told of the image itself. */
export interface StudiedImage {
  image_size?: { width: number; height: number };
  palette?: readonly { colour: string; share: number }[];
}

/**
 * A step that must not take longer did; its message says what it was waiting for. The capture turns it into the error
 * that names phase and pending requests.
 */
export class StepTimeout extends Error {}
