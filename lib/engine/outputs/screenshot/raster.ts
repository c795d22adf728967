// Pictures as pixels: joins the strips of an image, cuts, resizes and encodes it.

import { ApiError } from "../../../errors/api-error.ts";
import type { ImageFormat } from "../../../options/formats.ts";
import { parseCssColor, type Rgba } from "../../../options/values/css-color.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { canExpress, type Encoding, encode, formatLimits, type Size } from "./encoding.ts";
import { openRaster, type PixelArea, type Raster, type RasterSource } from "./raster-source.ts";
import { pixelsToSearch, type Resizing, resize, resizedSize } from "./resizing.ts";

export interface Composition {
  readonly encoding: Encoding;
  /** The part of the image that is kept; all of it by default. */
  readonly crop?: PixelArea | undefined;
  /** Comes after `crop`. */
  readonly resizing?: Resizing | undefined;
  /** In whole seconds, rounded up. The encoder of AVIF does not hear of it until it is done. */
  readonly timeoutMs?: number | undefined;
}

export interface EncodedImage extends Size {
  readonly body: Buffer;
}

/**
 * Makes one image, row by row where the format allows it (see `formatLimits`). Throws `RESULT_TOO_LARGE` when the
 * format cannot express the result, `VALIDATION_ERROR` for a background that is not a colour, `TimeoutError` when the
 * time is up, and an ordinary error for bytes that are not a whole image.
 */
export async function composeImage(raster: Raster, composition: Composition): Promise<EncodedImage> {
  return compose(await openRaster(raster), composition);
}

/** `composeImage` for an image of which several parts are made. */
export async function compose(source: RasterSource, composition: Composition): Promise<EncodedImage> {
  const { encoding, crop = wholeOf(source), resizing, timeoutMs } = composition;
  assertExpressible(encoding.format, resizing ? resizedSize(crop, resizing) : crop);
  if (resizing) assertSearchable(crop, resizing);
  const background = colourOf(resizing?.background ?? "white");
  const image = source.open(crop);
  const encoded = encode(resizing ? resize(image, crop, resizing, background) : image, encoding, background);
  if (timeoutMs !== undefined) encoded.timeout({ seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true }).catch((error: Error) => {
    throw error.message.startsWith("timeout:") ? new TimeoutError(error.message, { cause: error }) : error;
  });
  return { body: data, width: info.width, height: info.height };
}

/** Throws when the bytes do not begin as an image. */
export async function imageSize(raster: Raster): Promise<Size> {
  const { width, height } = await openRaster(raster);
  return { width, height };
}

function wholeOf({ width, height }: Size): PixelArea {
  return { left: 0, top: 0, width, height };
}

function assertExpressible(format: ImageFormat, size: Size): void {
  if (canExpress(format, size)) return;
  const { longestSide, pixels } = formatLimits[format];
  throw tooLarge(
    `The image would measure ${measures(size)}. The format ${format} takes ${longestSide} pixels a side and ` +
      `${pixels / 1e6} million in all. Ask for a smaller image or another format.`,
    size,
  );
}

/** In about 4 bytes each. */
const MOST_PIXELS_TO_SEARCH = 40_000_000;

function assertSearchable(size: Size, resizing: Resizing): void {
  if (pixelsToSearch(size, resizing) <= MOST_PIXELS_TO_SEARCH) return;
  throw tooLarge(
    `An image of ${measures(size)} is too large to look for the part to keep. ` +
      `Ask for another image_position than '${resizing.position}', or capture a smaller part of the page.`,
    size,
  );
}

function tooLarge(message: string, size: Size): ApiError {
  return new ApiError("RESULT_TOO_LARGE", message, { details: { image: [measures(size)] } });
}

function measures({ width, height }: Size): string {
  return `${width} × ${height} pixels`;
}

function colourOf(background: string): Rgba {
  const colour = parseCssColor(background);
  if (colour) return colour;
  throw new ApiError("VALIDATION_ERROR", `Option 'image_background' is not a colour: '${background}'.`, {
    details: { image_background: ["is not a colour"] },
  });
}
