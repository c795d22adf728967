// Encodes the frames of a video as they are recorded: GIF and animated WebP here, MP4 and WebM in a second browser.
import type { CaptureLimits } from "../../../contract/options/capture-limits.ts";
import type { BrowserSession } from "../../browser/browser.ts";
import { drawTestMark } from "../test-mark.ts";
import { createAnimatedWebpEncoder } from "./animated-webp-encoder.ts";
import type { FrameEncoder, FrameImage } from "./frame-encoder.ts";
import { createGifEncoder } from "./gif/gif-encoder.ts";
import { JPEG_QUALITY, type RecordingSettings } from "./record-frames.ts";
import type { VideoRecording } from "./video-recording.ts";
import type { VideoSize } from "./video-size.ts";
import { createWebCodecsEncoder } from "./web-codecs-encoder.ts";

export interface VideoEncoding {
  readonly video: VideoRecording;
  readonly size: VideoSize;
  readonly limits: CaptureLimits;
  /** The browser that encodes MP4 and WebM. */
  readonly encoder?: Promise<BrowserSession> | undefined;
}

export interface EncodedVideo {
  /** The file. */
  readonly body: Buffer;
  /** The image of the first frame, as a JPEG or PNG. */
  readonly firstFrame: Buffer;
}

type Encoder = Pick<FrameEncoder, "inputFormat" | "add" | "finish">;

/** Records frames with `record` into the encoder of the format. */
export async function encodeVideo(
  encoding: VideoEncoding,
  record: (recording: RecordingSettings) => AsyncIterable<FrameImage>,
): Promise<EncodedVideo> {
  await using created = await createEncoder(encoding);
  let firstFrame: FrameImage;
  const add = (image: FrameImage) => {
    firstFrame ??= image;
    return created.add(image);
  };
  const recorded = { inputFormat: created.inputFormat, add, finish: () => created.finish() };
  const encoder = encoding.video.isMarked ? withMarkedFrames(recorded) : recorded;
  const { seconds, fps } = encoding.video;
  let adding = Promise.resolve();
  for await (const frame of record({ seconds, fps, inputFormat: encoder.inputFormat })) {
    await adding;
    adding = encoder.add(frame); // encodes while the next frame is painted
    adding.catch(() => undefined);
  }
  await adding;
  const body = await encoder.finish(); // the encoder is disposed of when this function returns
  return { body, firstFrame: Buffer.from(firstFrame ?? "", "base64") };
}

/** Draws the mark of captures with an API key for tests across each frame. */
function withMarkedFrames(encoder: Encoder): Encoder {
  const { inputFormat: format } = encoder;
  return {
    inputFormat: format,
    async add(image) {
      if (image === undefined) return encoder.add(image);
      const marked = await drawTestMark(Buffer.from(image, "base64"), { format, quality: JPEG_QUALITY });
      return encoder.add(marked.toString("base64"));
    },
    finish: () => encoder.finish(),
  };
}

async function createEncoder({ video, size, limits, encoder }: VideoEncoding): Promise<FrameEncoder> {
  const { format, fps, quality } = video;
  const settings = { width: size.width, height: size.height, fps, quality, limits };
  if (format === "gif") return createGifEncoder(settings);
  if (format === "animated_webp") return createAnimatedWebpEncoder(settings);
  if (!encoder) throw new Error("No browser was launched to encode the video.");
  return createWebCodecsEncoder(await encoder, format, settings);
}
