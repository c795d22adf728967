// What the steps of one capture share and hand on to each other.
import type { Format } from "../contract/formats.ts";
import type { BrowserSession } from "./browser/browser.ts";
import type { Budget } from "./budget.ts";
import type { Metadata } from "./extraction/metadata.ts";
import type { Area } from "./image/area.ts";
import type { Slice } from "./image/slices.ts";
import type { PageActivity } from "./page/page-activity.ts";
import type { PageRecord } from "./page/page-record.ts";

export interface Capturing {
  readonly session: BrowserSession;
  readonly activity: PageActivity;
  readonly budget: Budget;
  readonly now: () => number;
  readonly warnings: string[];
  /** Id of the document that was found to be the page asked for. */
  confirmed: string;
  /** Set by `record`. */
  record?: PageRecord;
  /** Set by `emulate`. */
  window: { readonly width: number; readonly height: number; readonly scale: number };
  /** Set by the framing step. */
  area: Area;
  /** Image pixels per CSS pixel: the device's scale, less where a phone shows a wide page zoomed out. */
  scale: number;
  /** Set by the step that takes pictures, unless Chromium's own bytes are the result: PNGs, top to bottom. */
  strips: readonly Buffer[];
  /** Set by whichever step has the result. */
  output?: { readonly body: Buffer; readonly format: Format };
  slices: readonly Slice[];
  metadata: Metadata & StudiedImage;
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
