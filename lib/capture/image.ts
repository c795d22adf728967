// What an image may measure: limits of formats and of memory, and the area that is captured.
import { ApiError } from "../contract/errors.ts";

export type ImageFormat = "png" | "jpeg" | "webp";

export const mimeTypes: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
};

/** A rectangle in CSS pixels, measured from the page's top left corner. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pages end here in a full-page capture, in CSS pixels. */
export const FULL_PAGE_MAX_HEIGHT = 20_000;

/** Chromium needs about 20 bytes a pixel on the way to an image: this is 1.6 GB of a function's 2 GB. */
const MAX_PIXELS = 80_000_000;

/** Longest side a format can express, in pixels. */
const longestSide: Readonly<Record<ImageFormat, number>> = { png: 2 ** 31 - 1, jpeg: 65_535, webp: 16_383 };

/** The smallest area of whole pixels around one of fractions, so that no edge is cut. */
export function wholePixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Throws `RESULT_TOO_LARGE` when an area, `scale` image pixels per CSS pixel, is more than memory can hold. */
export function assertCapturable(area: Area, scale: number): void {
  const [width, height] = [Math.round(area.width * scale), Math.round(area.height * scale)];
  if (width * height <= MAX_PIXELS) return;
  throw new ApiError(
    "RESULT_TOO_LARGE",
    `The image would measure ${width} × ${height} pixels, more than the ${MAX_PIXELS / 1e6} million that are allowed. ` +
      "Lower device_scale_factor or capture a smaller part.",
    { details: { image: [`${width} × ${height} pixels`] } },
  );
}

/** The format asked for, or PNG where that format cannot express the size. */
export function expressibleFormat(format: ImageFormat, area: Area, scale: number): ImageFormat {
  return Math.max(area.width, area.height) * scale > longestSide[format] ? "png" : format;
}
