// What makes a video of frames, whatever its format.
import { ApiError } from "../../contract/errors.ts";

/** What is known of a video before its first frame. */
export interface VideoSettings {
  /** In pixels: even numbers. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** From 0, small, to 100, faithful. */
  readonly quality: number;
}

/** The picture of a frame as Chromium writes it, in base64; undefined where it is that of the frame before. */
export type FramePicture = string | undefined;

/** Takes the frames of one video in their order. Disposing of it ends what is under way. */
export interface FrameEncoder extends AsyncDisposable {
  /** The format in which it takes pictures. */
  readonly takes: "jpeg" | "png";
  /**
   * Takes the next frame; the first one has a picture. Resolves as soon as there is room for another one, so that the
   * page is painted while frames are encoded and few of them are held. Rejects when an earlier frame could not be
   * encoded, or with `RESULT_TOO_LARGE`.
   */
  add(picture: FramePicture): Promise<void>;
  /** The whole file, once all frames have been taken. Rejects as `add` does. */
  finish(): Promise<Buffer>;
}

/** The longest answer that a function can stream. */
const MAX_BYTES = 200_000_000;

/** Throws `RESULT_TOO_LARGE` for a file that nobody could be sent. */
export function assertDeliverable(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  const message =
    `The video would be larger than ${MAX_BYTES / 1e6} MB. ` +
    "Lower video_duration, video_fps or its size, or choose mp4, which is the smallest.";
  throw new ApiError("RESULT_TOO_LARGE", message, { details: { video_duration: ["makes the video too large"] } });
}
