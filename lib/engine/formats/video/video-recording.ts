// The settings of a video: its format, duration, frame rate and quality, and how it scrolls through the page.
import type { VideoFormat } from "../../../contract/options/formats.ts";
import type { Scrolling } from "./scroll-scenario.ts";

export interface VideoRecording {
  readonly format: VideoFormat;
  readonly seconds: number;
  /** Frames per second. */
  readonly fps: number;
  /** 0 to 100. */
  readonly quality: number;
  /** How the video scrolls through the page; undefined when it does not scroll. */
  readonly scroll?: Scrolling;
  /** True for the mark of captures with an API key for tests. @default false */
  readonly isMarked?: boolean;
}
