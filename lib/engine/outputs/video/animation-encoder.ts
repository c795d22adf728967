// The animations that are made of whole pictures, GIF and WebP: each frame is what has changed since the one before.
import { defaultLimits } from "../../../options/capture-limits.ts";
import { assertBytes } from "../result-limits.ts";
import type { PixelArea } from "../screenshot/raster-source.ts";
import { loadSharp, rgba } from "../screenshot/raster-source.ts";
import { changedBox, type Pixels } from "./frame-difference.ts";
import type { FrameEncoder, FrameImage, VideoSettings } from "./frame-encoder.ts";

/** A frame that differs from the one before it. */
export interface Change {
  readonly frame: Pixels;
  /** Undefined for the first frame, all of which is new. */
  readonly before: Pixels | undefined;
  readonly box: PixelArea;
}

/** From the beginning of one frame to that of another, both counted from 0. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** An encoded change, which becomes a part of the file once it is known for how long it is shown. */
export type EncodedChange = (span: FrameRange) => Buffer;

/** How a format writes an animation. Changes come in their order. */
export interface AnimationFormat {
  encode(change: Change): EncodedChange | Promise<EncodedChange>;
  /** The file, with the parts of all changes. */
  file(parts: readonly Buffer[]): Buffer;
}

/** Frames that are decoded or encoded at once: one of each, so that both cores have something to do. */
const MAX_FRAMES_IN_FLIGHT = 2;

/** Holds a few frames and what is encoded, however long the animation. */
export function createAnimationEncoder(settings: VideoSettings, format: AnimationFormat): FrameEncoder {
  const { limits = defaultLimits } = settings;
  const parts: Buffer[] = [];
  let bytes = 0;
  let frames = 0;
  let shown: Pixels | undefined;
  let latest: { readonly encoded: EncodedChange; readonly from: number } | undefined;
  let newest: string | undefined;
  let failure: { readonly reason: unknown } | undefined;
  const underWay: Promise<void>[] = [];

  function close(to: number): void {
    if (!latest) return;
    const part = latest.encoded({ from: latest.from, to });
    latest = undefined;
    bytes += part.length;
    assertBytes(bytes, "video", limits);
    parts.push(part);
  }

  async function encode(frame: Pixels, index: number): Promise<void> {
    const box = shown ? changedBox(shown, frame) : { left: 0, top: 0, width: frame.width, height: frame.height };
    if (!box) return;
    close(index);
    const encoded = await format.encode({ frame, before: shown, box });
    latest = { encoded, from: index };
    shown = frame;
  }

  async function encodeInOrder(earlier: Promise<void> | undefined, picture: string, index: number): Promise<void> {
    const decoding = decode(picture, settings);
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

    async add(picture: FrameImage) {
      assertNotFailed();
      if (frames === 0 && picture === undefined) throw new RangeError("The first frame of a video has no picture.");
      const index = frames++;
      if (picture === undefined || picture === newest) return;
      newest = picture;
      underWay.push(encodeInOrder(underWay.at(-1), picture, index));
      if (underWay.length >= MAX_FRAMES_IN_FLIGHT) await underWay.shift();
      assertNotFailed();
    },

    async finish() {
      await Promise.all(underWay);
      assertNotFailed();
      close(frames);
      return format.file(parts);
    },

    async [Symbol.asyncDispose]() {
      failure ??= { reason: new Error("The video was given up.") };
      await Promise.all(underWay);
    },
  };
}

/** Throws an ordinary error for what is not a picture of the video's size. */
async function decode(picture: string, { width, height }: VideoSettings): Promise<Pixels> {
  const sharp = await loadSharp();
  const bytes = await rgba(sharp(Buffer.from(picture, "base64")));
  if (bytes.length !== width * height * 4)
    throw new RangeError(`A frame does not measure ${width} × ${height} pixels.`);
  return { width, height, data: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height) };
}
