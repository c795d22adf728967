// How an image is written: the formats, what each of them can express, and the settings of its encoder.
import type { Sharp } from "sharp";
import type { ImageFormat } from "../../../options/formats.ts";
import type { Rgba } from "../../../options/values/css-color.ts";

export interface Encoding {
  readonly format: ImageFormat;
  /** 0 to 100 on the scale of JPEG, of lossy formats only. */
  readonly quality: number;
  /** A larger file, sooner. */
  readonly fast: boolean;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What an encoder takes: the longest side, in pixels, and the number of pixels. PNG, JPEG and TIFF are written row by
 * row; WebP and AVIF need the whole image in memory, in about 7 and 40 bytes a pixel.
 */
export const formatLimits: Readonly<Record<ImageFormat, { readonly longestSide: number; readonly pixels: number }>> = {
  // The format goes to 2^31 - 1, but libpng, with which nearly everybody reads it, stops here.
  png: { longestSide: 1_000_000, pixels: 128_000_000 },
  // The format goes to 65,535, but libjpeg-turbo, which Chromium and sharp write it with, stops here.
  jpeg: { longestSide: 65_500, pixels: 128_000_000 },
  webp: { longestSide: 16_383, pixels: 48_000_000 },
  avif: { longestSide: 16_384, pixels: 12_000_000 },
  tiff: { longestSide: 100_000_000, pixels: 128_000_000 },
};

export function canExpress(format: ImageFormat, { width, height }: Size): boolean {
  const { longestSide, pixels } = formatLimits[format];
  return Math.max(width, height) <= longestSide && width * height <= pixels;
}

/** Formats without transparency show `background` through it. */
export function encode(image: Sharp, { format, quality, fast }: Encoding, background: Rgba): Sharp {
  const encoders: Readonly<Record<ImageFormat, () => Sharp>> = {
    png: () => image.png({ compressionLevel: fast ? 2 : 6 }),
    jpeg: () =>
      image.flatten({ background }).jpeg({
        quality: Math.max(1, quality),
        // Smeared colour is the first thing to be seen around coloured text.
        chromaSubsampling: quality >= 90 ? "4:4:4" : "4:2:0",
        // Optimal tables would be 3 % smaller, but are known at the end: the whole image would wait in memory for them.
        optimizeCoding: false,
      }),
    webp: () => image.webp({ quality: Math.max(1, quality), effort: fast ? 0 : 2 }),
    // Efforts above 1 take seconds to save a tenth.
    avif: () => image.avif({ quality: avifQuality(quality), effort: fast ? 0 : 1 }),
    tiff: () => image.tiff({ compression: "deflate" }),
  };
  return encoders[format]();
}

/** Qualities at which screenshots in JPEG and in AVIF differ as much from the original, as measured by PSNR. */
const equalQualities = [
  { jpeg: 0, avif: 10 },
  { jpeg: 50, avif: 40 },
  { jpeg: 80, avif: 50 },
  { jpeg: 100, avif: 100 },
];

function avifQuality(quality: number): number {
  const next = Math.max(
    1,
    equalQualities.findIndex(({ jpeg }) => jpeg >= quality),
  );
  const [from, to] = [equalQualities[next - 1], equalQualities[next]];
  if (!from || !to) throw new RangeError(`A quality is between 0 and 100, not ${quality}`);
  return Math.round(from.avif + ((quality - from.jpeg) / (to.jpeg - from.jpeg)) * (to.avif - from.avif));
}
