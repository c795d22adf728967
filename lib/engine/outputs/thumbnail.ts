// Thumbnails: a small WebP of a picture.
import type { Sharp } from "sharp";
import { loadSharp } from "./screenshot/raster-source.ts";

/** A taller picture is cropped: its top says what the page is. */
const MAX_WIDTH_PX = 320;
const MAX_HEIGHT_PX = 400;
export const MAX_THUMBNAIL_BYTES = 15_000;

/** The first that fits is taken. Noise, which compresses worst, fits in half the size alone. */
const ENCODINGS = [
  { quality: 75, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 30, scale: 1 },
  { quality: 10, scale: 1 },
  { quality: 10, scale: 0.5 },
] as const;

/** Formats whose decoder reads row by row, and so no more of a tall picture than is shown. Others are decoded whole. */
const READ_BY_ROWS: ReadonlySet<string> = new Set(["png", "jpeg", "tiff"]);
const MAX_WHOLE_PIXELS = 4_000_000;

/**
 * Makes the thumbnail of a picture in PNG, JPEG, WebP, AVIF, or TIFF: at most 320 × 400 pixels, never enlarged, and at most
 * `MAX_THUMBNAIL_BYTES`. Resolves to undefined for one that is too large to be decoded.
 */
export async function makeThumbnail(picture: Buffer): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  const image = sharp(picture, { sequentialRead: true, limitInputPixels: false });
  const { width, height, format } = await image.metadata();
  if (!READ_BY_ROWS.has(format) && width * height > MAX_WHOLE_PIXELS) return undefined;
  const { data, info } = await topOf(image, { width, height }).raw().toBuffer({ resolveWithObject: true });
  for (const { quality, scale } of ENCODINGS) {
    const scaled = sharp(data, { raw: info }).resize(Math.max(1, Math.round(info.width * scale)));
    const thumbnail = await scaled.webp({ quality, effort: 2 }).toBuffer();
    if (thumbnail.length <= MAX_THUMBNAIL_BYTES) return thumbnail;
  }
  return undefined;
}

/** The top of an image, as large as a thumbnail. */
function topOf(image: Sharp, { width, height }: { readonly width: number; readonly height: number }): Sharp {
  const scale = Math.min(1, MAX_WIDTH_PX / width);
  const shownHeight = Math.min(height, Math.ceil(MAX_HEIGHT_PX / scale));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(shownHeight * scale)) };
  return image
    .extract({ left: 0, top: 0, width, height: shownHeight })
    .resize({ ...size, fit: "fill" })
    .toColorspace("srgb");
}
