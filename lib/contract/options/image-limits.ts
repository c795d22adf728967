// The largest image that each format can hold.
import type { ImageFormat } from "./formats.ts";

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Largest image each encoder accepts: longest side and total, in pixels. PNG, JPEG and TIFF are written row by row;
 * WebP and AVIF need the whole image in memory, about 7 and 40 bytes a pixel.
 */
export const formatLimits: Readonly<Record<ImageFormat, { readonly longestSide: number; readonly pixels: number }>> = {
  // The format allows 2^31 - 1, but libpng, the usual decoder, stops here.
  png: { longestSide: 1_000_000, pixels: 128_000_000 },
  // The format allows 65,535, but libjpeg-turbo, which Chromium and sharp use, stops here.
  jpeg: { longestSide: 65_500, pixels: 128_000_000 },
  webp: { longestSide: 16_383, pixels: 48_000_000 },
  avif: { longestSide: 16_384, pixels: 12_000_000 },
  tiff: { longestSide: 100_000_000, pixels: 128_000_000 },
};

/** Formats that cannot hold every image that a capture may have. */
export const limitedFormats = ["jpeg", "webp", "avif"] as const satisfies ImageFormat[];

export function canExpress(format: ImageFormat, { width, height }: ImageSize): boolean {
  const { longestSide, pixels } = formatLimits[format];
  return Math.max(width, height) <= longestSide && width * height <= pixels;
}

/** The limits of a format in words, such as `16,383 pixels a side and 48 million in all`. */
export function describeFormatLimits(format: ImageFormat): string {
  const { longestSide, pixels } = formatLimits[format];
  return `${longestSide.toLocaleString("en")} pixels a side and ${pixels / 1e6} million in all`;
}
