// The interface of all video encoders.
import type { CaptureLimits } from "../../../contract/options/capture-limits.ts";

/** Properties of a video, known before its first frame. */
export interface VideoSettings {
  /** In pixels; even numbers. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** From 0 (smallest file) to 100 (best quality). */
  readonly quality: number;
  /** @default - the limits of every capture */
  readonly limits?: CaptureLimits;
}

/** The image of a frame from Chromium, in base64; undefined when it equals the frame before. */
export type FrameImage = string | undefined;

/** Encodes the frames of one video in order. Disposing cancels the encoding. */
export interface FrameEncoder extends AsyncDisposable {
  /** The image format it accepts. */
  readonly inputFormat: "jpeg" | "png";
  /**
   * Adds the next frame; the first one must have an image. Resolves as soon as another frame can be added, so that the
   * page is painted while frames are encoded and few of them are in memory. Rejects when an earlier frame could not be
   * encoded, or with `RESULT_TOO_LARGE`.
   */
  add(image: FrameImage): Promise<void>;
  /** Returns the whole file after the last frame. Rejects as `add` does. */
  finish(): Promise<Buffer>;
}
