// How an image is encoded once its area is known, and whether its size is allowed.

import { ApiError } from "../../../contract/errors/api-error.ts";
import type { CaptureLimits } from "../../../contract/options/capture-limits.ts";
import type { ImageFormat } from "../../../contract/options/formats.ts";
import { canExpress, describeFormatLimits } from "../../../contract/options/image-limits.ts";
import { type Area, toDevicePixels } from "../../geometry/area.ts";
import { assertPixels } from "../result-limits.ts";
import type { Size } from "./encoding.ts";
import { type Resizing, resizedSize } from "./resizing.ts";

export interface ImageSettings {
  readonly format: ImageFormat;
  /** 0 to 100, of lossy formats. */
  /** The format of an image that is too large for the other one. @default - the capture fails */
  readonly fallbackFormat?: "png" | undefined;
  readonly quality: number;
  readonly transparent: boolean;
  /** Encodes faster, into a larger file. */
  readonly fast: boolean;
  readonly resizing?: Resizing;
  /** True when later steps need the pixels, so that Chromium must not encode the result itself. */
  readonly keepsPixels: boolean;
}

/** The part of the page that the image shows, in CSS pixels, and the image pixels per CSS pixel. */
export interface ImageArea {
  readonly area: Area;
  readonly scale: number;
}

/** Throws `RESULT_TOO_LARGE` when the image, before or after resizing, has more pixels than the limits allow. */
export function assertImageSize({ area, scale }: ImageArea, { resizing }: ImageSettings, limits: CaptureLimits): void {
  const size = toDevicePixels(area, scale);
  assertPixels(size, limits);
  if (resizing) assertPixels(resizedSize(size, resizing), limits);
}

/** The format of the whole image, after resizing: see `encodableFormat`. */
export function wholeImageFormat(
  { area, scale, warnings }: ImageArea & { readonly warnings: string[] },
  settings: ImageSettings,
): ImageFormat {
  const size = toDevicePixels(area, scale);
  return encodableFormat(settings.resizing ? resizedSize(size, settings.resizing) : size, settings, warnings);
}

/**
 * The requested format if it can encode an image of this size; otherwise the fallback, with a warning. Throws `RESULT_TOO_LARGE`
 * without one.
 */
export function encodableFormat(
  size: Size,
  { format, fallbackFormat }: Pick<ImageSettings, "format" | "fallbackFormat">,
  warnings: string[],
): ImageFormat {
  if (canExpress(format, size)) return format;
  if (fallbackFormat === undefined) throw tooLargeFor(format, size);
  const warning = `The ${format} format cannot hold an image of this size; the result is a ${fallbackFormat}.`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return fallbackFormat;
}

function tooLargeFor(format: ImageFormat, { width, height }: Size): ApiError {
  const size = `${width} × ${height} pixels`;
  const message =
    `The image would measure ${size}, and ${format} takes at most ${describeFormatLimits(format)}. Set format to png, ` +
    "set image_fallback_format=png to get a png only when the image is too large, or make the image smaller with image_width, " +
    "image_height, device_scale_factor, or full_page_max_height.";
  return new ApiError("RESULT_TOO_LARGE", message, { details: { format: [`can't hold an image of ${size}`] } });
}
