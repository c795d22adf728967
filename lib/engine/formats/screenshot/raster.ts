// Composes an image: joins its tiles, crops, resizes and encodes it.

import { ApiError } from "../../../contract/errors/api-error.ts";
import type { ImageFormat } from "../../../contract/options/formats.ts";
import { canExpress, describeFormatLimits } from "../../../contract/options/image-limits.ts";
import { parseCssColor, type Rgba } from "../../../contract/options/values/css-color.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import type { Overlay } from "../annotation/draw-marks.ts";
import { encode, type ImageEncoding, type Size } from "./encoding.ts";
import { openRaster, type PixelArea, type Raster, type RasterSource } from "./raster-source.ts";
import { pixelsToSearch, type Resizing, resizedSize, resizeImage } from "./resizing.ts";

export interface Composition {
  readonly encoding: ImageEncoding;
  /** Part of the image to keep. @default - the whole image */
  readonly crop?: PixelArea | undefined;
  /** Applied after `crop`. */
  readonly resizing?: Resizing | undefined;
  /** Drawn over the resized image. @default - nothing */
  readonly overlays?: readonly Overlay[] | undefined;
  /** Rounded up to whole seconds. The AVIF encoder notices it only when it is done. */
  readonly timeoutMs?: number | undefined;
}

export interface EncodedImage extends Size {
  readonly body: Buffer;
}

/**
 * Composes one image, row by row where the format allows it (see `formatLimits`). Throws `RESULT_TOO_LARGE` when the
 * format cannot represent the result, `VALIDATION_ERROR` for an invalid background, `TimeoutError` when time is up, and
 * another error for incomplete image data.
 */
export async function composeImage(raster: Raster, composition: Composition): Promise<EncodedImage> {
  return composeFromSource(await openRaster(raster), composition);
}

/** `composeImage` for a source from which several images are made. */
export async function composeFromSource(source: RasterSource, composition: Composition): Promise<EncodedImage> {
  const { encoding, crop = fullArea(source), resizing, overlays = [], timeoutMs } = composition;
  assertExpressible(encoding.format, resizing ? resizedSize(crop, resizing) : crop);
  if (resizing) assertSearchable(crop, resizing);
  const background = parseBackground(resizing?.background ?? "white");
  const image = source.open(crop);
  const resized = resizing ? resizeImage(image, crop, resizing, background) : image;
  const encoded = encode(overlays.length > 0 ? resized.composite([...overlays]) : resized, encoding, background);
  if (timeoutMs !== undefined) encoded.timeout({ seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true }).catch((error: Error) => {
    throw error.message.startsWith("timeout:") ? new TimeoutError(error.message, { cause: error }) : error;
  });
  return { body: data, width: info.width, height: info.height };
}

/** Reads the size of an image. Throws for bytes that are not an image. */
export async function imageSize(raster: Raster): Promise<Size> {
  const { width, height } = await openRaster(raster);
  return { width, height };
}

function fullArea({ width, height }: Size): PixelArea {
  return { left: 0, top: 0, width, height };
}

function assertExpressible(format: ImageFormat, size: Size): void {
  if (canExpress(format, size)) return;
  throw tooLarge(
    `The image would measure ${formatSize(size)}. The format ${format} takes ${describeFormatLimits(format)}. ` +
      "Ask for a smaller image or another format.",
    size,
  );
}

/** About 4 bytes each. */
const MAX_SEARCHED_PIXELS = 40_000_000;

function assertSearchable(size: Size, resizing: Resizing): void {
  if (pixelsToSearch(size, resizing) <= MAX_SEARCHED_PIXELS) return;
  throw tooLarge(
    `An image of ${formatSize(size)} is too large to look for the part to keep. ` +
      `Ask for another image_position than '${resizing.position}', or capture a smaller part of the page.`,
    size,
  );
}

function tooLarge(message: string, size: Size): ApiError {
  return new ApiError("RESULT_TOO_LARGE", message, { details: { image: [formatSize(size)] } });
}

function formatSize({ width, height }: Size): string {
  return `${width} × ${height} pixels`;
}

function parseBackground(background: string): Rgba {
  const color = parseCssColor(background);
  if (color) return color;
  throw new ApiError("VALIDATION_ERROR", `Option 'image_background' is not a colour: '${background}'.`, {
    details: { image_background: ["is not a colour"] },
  });
}
