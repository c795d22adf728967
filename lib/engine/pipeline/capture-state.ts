// What the steps of a capture work on, typed by phase: each phase adds what its steps return.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { Format } from "../../contract/options/formats.ts";
import type { CaptureReport } from "../../contract/problems/capture-report.ts";
import type { BlockReport } from "../adblock/block-report.ts";
import type { BrowserSession } from "../browser/browser.ts";
import type { LaunchBrowser } from "../browser/browser-use.ts";
import type { ImageMark } from "../formats/annotation/annotate-image.ts";
import type { LocatedElements, PageElements } from "../formats/elements/page-elements.ts";
import type { Metadata } from "../formats/metadata/metadata.ts";
import type { UsedFont } from "../formats/metadata/used-fonts.ts";
import type { RequestTimings } from "../formats/report/request-timings.ts";
import type { ImageArea } from "../formats/screenshot/image-settings.ts";
import type { Slice } from "../formats/screenshot/slices.ts";
import type { VideoSize } from "../formats/video/video-size.ts";
import type { PictureLayout } from "../full-page/map-boxes.ts";
import type { Visit } from "../full-page/visit.ts";
import type { PageObservation } from "../injected/observation/observe-page.ts";
import type { OverlayPage } from "../overlays/overlay-page.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import type { RecordedPage } from "../page/error-recorder.ts";
import type { HoveredPage } from "../page/hover.ts";
import type { PageRecord } from "../page/page-record.ts";

/** A browser with an empty page, before the first step. */
export interface LaunchedPage extends OverlayPage, Pick<HoveredPage, "pointer"> {
  readonly options: EngineOptions;
  /** When the capture was requested, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Launches another browser for this capture. */
  readonly launch: LaunchBrowser;
}

/** What the prepare steps add. */
export interface Preparation
  extends Pick<RecordedPage, "frameScheduler" | "settlesInVirtualTime" | "isJavaScriptDisabled" | "errorRecorder"> {
  /** The console messages and requests of the page. */
  readonly record?: PageRecord;
  /** When each request started and ended, for a report. */
  readonly timings?: RequestTimings;
  /** A second browser, which encodes the video. */
  readonly encoder?: Promise<BrowserSession>;
}

export type PreparedPage = LaunchedPage & Preparation;

/** What the navigate step adds. */
export interface NavigationResult extends Pick<OverlayPage, "address"> {
  /** Id of the last document that was examined for a bot challenge. */
  readonly challengeCheckedIn?: string;
  /** What the windows of a page showed that was visited for a picture of all of it. */
  readonly visit?: Visit;
  /** True for a page that hears nothing of its scrolling: a look at all of it at once shows what its windows would. */
  readonly ignoresScrolling?: true;
}

/** What the ready steps add. */
export type Readiness = Pick<NavigationResult, "challengeCheckedIn" | "visit" | "ignoresScrolling">;

/** A page that has been requested, and from then on waited for and interacted with. */
export type NavigatedPage = PreparedPage & NavigationResult;

/** What the capture and encode steps add. */
export interface Output
  extends ImageArea,
    Pick<CapturedPage, "window" | "framing">,
    Pick<HoveredPage, "areAnimationsFinished"> {
  /** PNG tiles of the image from top to bottom, unless Chromium encoded the result itself. */
  readonly tiles: readonly Buffer[];
  /** The result, and the first frame of a video. */
  readonly output?: { readonly body: Buffer; readonly format: Format; readonly firstFrame?: Buffer };
  readonly slices: readonly Slice[];
  /** Where the picture shows what, when it was stitched. */
  readonly pictureLayout?: PictureLayout;
  /** The elements of the page, where the image is to be marked. */
  readonly located?: Pick<LocatedElements, "located" | "texts">;
  readonly videoSize?: VideoSize;
  readonly metadata: CaptureMetadata;
  /** What was seen of the page when it was judged. */
  readonly observed?: PageObservation;
  /** Judges the page. Set where that can be done while the picture is painted. */
  readonly judge?: () => Promise<PageObservation | undefined>;
  /** Fonts that the page is rendered with, for a report. */
  readonly fonts?: readonly UsedFont[];
}

/** The page while it is captured. */
export interface CapturingPage extends Omit<NavigatedPage, "window">, Output {
  /** True when a screenshot was discarded because it was blank; then this is the last one. */
  readonly isRetake: boolean;
}

/** What the caller wants to know about the page and its image. */
export type CaptureMetadata = Metadata &
  ImageFacts & { readonly blocked?: BlockReport; readonly elements?: PageElements; readonly report?: CaptureReport };

export interface ImageFacts {
  /** The marks in the image. */
  readonly marks?: readonly ImageMark[];
  readonly image_size?: { readonly width: number; readonly height: number };
  /** Dominant colours, with their share of the image. */
  readonly palette?: readonly { readonly colour: string; readonly share: number }[];
}

/** The state at the start of a capture: the image shows the window, unless a step selects another area. */
export function startCapture(page: NavigatedPage, { isRetake }: { readonly isRetake: boolean }): CapturingPage {
  const { width, height, scale } = page.window;
  return {
    ...page,
    isRetake,
    area: { x: 0, y: 0, width, height },
    scale,
    tiles: [],
    slices: [],
    metadata: {},
  };
}

/** The output of a page whose capture steps have run. */
export function requireOutput({ output }: Pick<CapturingPage, "output">): NonNullable<Output["output"]> {
  if (!output) throw new Error("The plan ended without an output.");
  return output;
}
