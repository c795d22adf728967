// The thumbnail of a result: a small WebP of an image, or of the first frame of an animation.
import type { Sharp } from "sharp";
import { type Format, isImageFormat } from "../../contract/options/formats.ts";
import { loadSharp } from "./screenshot/raster-source.ts";

/** A taller image is cropped: its top says what the page is. */
const MAX_WIDTH_PX = 320;
const MAX_HEIGHT_PX = 400;
export const MAX_THUMBNAIL_BYTES = 15_000;

/** The first that fits is taken. Noise, which compresses worst, fits with the last. */
const QUALITIES = [75, 50, 30, 10, 1];

/** Formats whose decoder reads rows in order, and so no more of a tall image than is shown. */
const DECODED_BY_ROWS: readonly Format[] = ["png", "jpeg", "tiff"];
/** Other images are decoded whole, which takes 20 ms for this many pixels. */
const MAX_DECODED_PIXELS = 4_000_000;

/** True for formats that sharp decodes. PDFs and recorded videos take a browser, and so more than 20 ms. */
export function canHaveThumbnail(format: Format): boolean {
  return isImageFormat(format) || format === "gif" || format === "animated_webp";
}

/** Makes the thumbnail of a result. Resolves to undefined where that would take too long, or more bytes than allowed. */
export async function makeThumbnail(result: Buffer, format: Format): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  const image = sharp(result, { pages: 1, sequentialRead: true, limitInputPixels: false });
  const { width, height } = await image.metadata();
  if (!DECODED_BY_ROWS.includes(format) && width * height > MAX_DECODED_PIXELS) return undefined;
  const { data, info } = await scaled(image, { width, height }).raw().toBuffer({ resolveWithObject: true });
  for (const quality of QUALITIES) {
    const thumbnail = await sharp(data, { raw: info }).webp({ quality, effort: 2 }).toBuffer();
    if (thumbnail.length <= MAX_THUMBNAIL_BYTES) return thumbnail;
  }
  return undefined;
}

/** The top of the image, at most as large as a thumbnail, and never enlarged. */
function scaled(image: Sharp, { width, height }: { readonly width: number; readonly height: number }): Sharp {
  const scale = Math.min(1, MAX_WIDTH_PX / width);
  const shownHeight = Math.min(height, Math.round(MAX_HEIGHT_PX / scale));
  return image
    .extract({ left: 0, top: 0, width, height: shownHeight })
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(shownHeight * scale)),
      fit: "fill",
    })
    .toColorspace("srgb");
}
