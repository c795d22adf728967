// What makes a video of frames, whatever its format.
import type { CaptureLimits } from "../../../options/capture-limits.ts";

/** What is known of a video before its first frame. */
export interface VideoSettings {
  /** In pixels: even numbers. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** From 0, small, to 100, faithful. */
  readonly quality: number;
  /** @default - those of every capture */
  readonly limits?: CaptureLimits;
}

/** The picture of a frame as Chromium writes it, in base64; undefined where it is that of the frame before. */
export type FrameImage = string | undefined;

/** Takes the frames of one video in their order. Disposing of it ends what is under way. */
export interface FrameEncoder extends AsyncDisposable {
  /** The format in which it takes pictures. */
  readonly inputFormat: "jpeg" | "png";
  /**
   * Takes the next frame; the first one has a picture. Resolves as soon as there is room for another one, so that the
   * page is painted while frames are encoded and few of them are held. Rejects when an earlier frame could not be
   * encoded, or with `RESULT_TOO_LARGE`.
   */
  add(picture: FrameImage): Promise<void>;
  /** The whole file, once all frames have been taken. Rejects as `add` does. */
  finish(): Promise<Buffer>;
}
