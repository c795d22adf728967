// How an image is encoded once its area is known, and whether its size is allowed.
import type { CaptureLimits } from "../../../options/capture-limits.ts";
import type { ImageFormat } from "../../../options/formats.ts";
import { type Area, toDevicePixels } from "../../geometry/area.ts";
import { assertPixels } from "../result-limits.ts";
import { canExpress } from "./encoding.ts";
import { type Resizing, resizedSize } from "./resizing.ts";

export interface ImageSettings {
  readonly format: ImageFormat;
  /** 0 to 100, of lossy formats. */
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

/** The requested format, or PNG with a warning when the format cannot encode an image of this size. */
export function encodableFormat(
  { area, scale, warnings }: ImageArea & { readonly warnings: string[] },
  { format, resizing }: ImageSettings,
): ImageFormat {
  const size = toDevicePixels(area, scale);
  if (canExpress(format, resizing ? resizedSize(size, resizing) : size)) return format;
  const warning = `The ${format} format cannot hold an image of this size; the result is a png.`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return "png";
}
