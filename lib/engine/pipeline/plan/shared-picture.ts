// Whether an image is encoded from the pixels of another one, so that one picture of the page serves both.

import { isDeepStrictEqual } from "node:util";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import type { ImageSettings } from "../../formats/screenshot/image-settings.ts";
import { imageSettings } from "./image.ts";
import { planCapture } from "./plan.ts";

/**
 * True if a capture of `other` takes the same picture of the page as one of `first`, and encodes it itself, as this does with
 * the pixels of `first`. Both have the same start.
 */
export function sharesPicture(first: EngineOptions, other: EngineOptions): boolean {
  const [image, otherImage] = [imageSettings(first), imageSettings(other)];
  if (!image || !otherImage || !keepsPixels(otherImage)) return false;
  if (image.format !== "png" && !keepsPixels(image)) return false;
  return isDeepStrictEqual(pictureSteps(first), pictureSteps(other));
}

/** True for an image that Chromium does not encode: its pixels are read from PNGs. */
export function keepsPixels({ format, resizing, keepsPixels: hasSlices }: ImageSettings): boolean {
  return hasSlices || resizing !== undefined || format === "avif" || format === "tiff";
}

/** The steps that read and paint the page, regardless of how the image is encoded. */
function pictureSteps(options: EngineOptions): readonly object[] {
  return planCapture(options).capture.map(({ name, params }) => {
    const { image, ...rest } = params as { readonly image?: ImageSettings };
    return { name, rest, ...(image && { transparent: image.transparent }) };
  });
}
