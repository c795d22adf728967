// Encodes animations made of whole images, GIF and WebP: each frame stores only what changed since the previous one.
import { defaultLimits } from "../../../contract/options/capture-limits.ts";
import { assertBytes } from "../result-limits.ts";
import { loadSharp, type PixelArea, type Pixels, rgba } from "../screenshot/raster-source.ts";
import { changedBox } from "./frame-difference.ts";
import type { FrameEncoder, FrameImage, VideoSettings } from "./frame-encoder.ts";

/** A frame that differs from the previous one. */
export interface FrameChange {
  readonly frame: Pixels;
  /** Undefined for the first frame. */
  readonly before: Pixels | undefined;
  readonly box: PixelArea;
}

/** A range of frames, from `from` up to but not including `to`, counted from 0. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** An encoded change; called for its part of the file once its duration is known. */
export type EncodedChange = (span: FrameRange) => Buffer;

/** How a format writes an animation. Changes are passed in order. */
export interface AnimationFormat {
  encode(change: FrameChange): EncodedChange | Promise<EncodedChange>;
  /** Assembles the file from the parts of all changes. */
  file(parts: readonly Buffer[]): Buffer;
}

/** Frames decoded or encoded at once: one of each, to use both cores. */
const MAX_FRAMES_IN_FLIGHT = 2;

/** Creates the encoder. It holds a few frames and the encoded parts, however long the animation is. */
export function createAnimationEncoder(settings: VideoSettings, format: AnimationFormat): FrameEncoder {
  const { limits = defaultLimits } = settings;
  const parts: Buffer[] = [];
  let bytes = 0;
  let frames = 0;
  let previous: Pixels | undefined;
  let latest: { readonly encoded: EncodedChange; readonly from: number } | undefined;
  let newest: string | undefined;
  let failure: { readonly reason: unknown } | undefined;
  const inFlight: Promise<void>[] = [];

  function close(to: number): void {
    if (!latest) return;
    const part = latest.encoded({ from: latest.from, to });
    latest = undefined;
    bytes += part.length;
    assertBytes(bytes, "video", limits);
    parts.push(part);
  }

  async function encode(frame: Pixels, index: number): Promise<void> {
    const box = previous ? changedBox(previous, frame) : { left: 0, top: 0, width: frame.width, height: frame.height };
    if (!box) return;
    close(index);
    const encoded = await format.encode({ frame, before: previous, box });
    latest = { encoded, from: index };
    previous = frame;
  }

  async function encodeInOrder(earlier: Promise<void> | undefined, image: string, index: number): Promise<void> {
    const decoding = decode(image, settings);
    try {
      const [frame] = await Promise.all([decoding, earlier]);
      if (!failure) await encode(frame, index);
    } catch (reason) {
      failure ??= { reason };
    }
  }

  function assertNotFailed(): void {
    if (failure) throw failure.reason;
  }

  return {
    inputFormat: "png",

    async add(image: FrameImage) {
      assertNotFailed();
      if (frames === 0 && image === undefined) throw new RangeError("The first frame of a video has no image.");
      const index = frames++;
      if (image === undefined || image === newest) return;
      newest = image;
      inFlight.push(encodeInOrder(inFlight.at(-1), image, index));
      if (inFlight.length >= MAX_FRAMES_IN_FLIGHT) await inFlight.shift();
      assertNotFailed();
    },

    async finish() {
      await Promise.all(inFlight);
      assertNotFailed();
      close(frames);
      return format.file(parts);
    },

    async [Symbol.asyncDispose]() {
      failure ??= { reason: new Error("The encoder was disposed of.") };
      await Promise.all(inFlight);
    },
  };
}

/** Throws a RangeError for an image that does not have the video's size. */
async function decode(image: string, { width, height }: VideoSettings): Promise<Pixels> {
  const sharp = await loadSharp();
  const bytes = await rgba(sharp(Buffer.from(image, "base64")));
  if (bytes.length !== width * height * 4)
    throw new RangeError(`A frame does not measure ${width} × ${height} pixels.`);
  return { width, height, data: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height) };
}
