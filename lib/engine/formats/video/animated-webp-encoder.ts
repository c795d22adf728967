// Animated WebP encoder: each change is a still image by libwebp, put into our own WebP container.
import { loadSharp, type PixelArea, type Pixels } from "../screenshot/raster-source.ts";
import { type AnimationFormat, createAnimationEncoder } from "./animation-encoder.ts";
import type { FrameEncoder, VideoSettings } from "./frame-encoder.ts";
import { isLineArt } from "./gif/line-art.ts";
import { imageChunk, webpFile, webpFrame } from "./webp-container.ts";

/** Creates an encoder of an animated WebP that loops forever. */
export function createAnimatedWebpEncoder(settings: VideoSettings): FrameEncoder {
  const { fps, quality } = settings;
  const format: AnimationFormat = {
    async encode({ frame, box }) {
      const area = alignToEven(box);
      const image = imageChunk(await encodeStill(frame, area, quality));
      return ({ from, to }) => webpFrame(area, image, frameTimeMs(to) - frameTimeMs(from));
    },
    file: (parts) => webpFile(settings, parts),
  };

  function frameTimeMs(index: number): number {
    return Math.round((index * 1000) / fps);
  }

  return createAnimationEncoder(settings, format);
}

/** Extends the box to even offsets, as the format requires. */
function alignToEven({ left, top, width, height }: PixelArea): PixelArea {
  return { left: left - (left % 2), top: top - (top % 2), width: width + (left % 2), height: height + (top % 2) };
}

/** Line art is sharper and smaller in lossless encoding. */
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
