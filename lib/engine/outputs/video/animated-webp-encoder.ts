// Animated WebP, frame by frame: what has changed is a still picture, which is put into a container of our own.
import { loadSharp, type PixelArea } from "../screenshot/raster-source.ts";
import { type AnimationFormat, createAnimationEncoder } from "./animation-encoder.ts";
import type { Pixels } from "./frame-difference.ts";
import type { FrameEncoder, VideoSettings } from "./frame-encoder.ts";
import { isLineArt } from "./gif/line-art.ts";
import { imageChunk, webpFile, webpFrame } from "./webp-container.ts";

/** Makes an animated WebP that repeats for ever. */
export function createAnimatedWebpEncoder(settings: VideoSettings): FrameEncoder {
  const { fps, quality } = settings;
  const format: AnimationFormat = {
    async encode({ frame, box }) {
      const area = evenly(box);
      const image = imageChunk(await encodeStill(frame, area, quality));
      return ({ from, to }) => webpFrame(area, image, millisecondsAt(to) - millisecondsAt(from));
    },
    file: (parts) => webpFile(settings, parts),
  };

  function millisecondsAt(index: number): number {
    return Math.round((index * 1000) / fps);
  }

  return createAnimationEncoder(settings, format);
}

/** The box, grown to begin at even numbers, as the format asks. */
function evenly({ left, top, width, height }: PixelArea): PixelArea {
  return { left: left - (left % 2), top: top - (top % 2), width: width + (left % 2), height: height + (top % 2) };
}

/** What was drawn is both sharper and smaller when nothing is left out. */
async function encodeStill(frame: Pixels, area: PixelArea, quality: number): Promise<Buffer> {
  const { data, width, height } = frame;
  const sharp = await loadSharp();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .extract(area)
    .removeAlpha()
    .webp(isLineArt(frame, area) ? { lossless: true, effort: 1 } : { quality: Math.max(1, quality), effort: 2 })
    .toBuffer();
}
