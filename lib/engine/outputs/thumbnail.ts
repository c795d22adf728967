// Thumbnails: a small WebP of a picture.
import type { Sharp } from "sharp";
import type { Size } from "./screenshot/encoding.ts";
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

/**
 * The most pixels that are decoded, by the decoder's name of the format: as many as take a fifth of a second. PNG, JPEG, and TIFF are
 * read row by row, and so no further than they are shown; the others are decoded whole.
 */
const MAX_PIXELS: Readonly<Record<string, number>> = {
  png: 40_000_000,
  jpeg: 40_000_000,
  tiff: 40_000_000,
  webp: 4_000_000,
  heif: 4_000_000, // AVIF
};
const READ_WHOLE: ReadonlySet<string> = new Set(["webp", "heif"]);

/**
 * Makes the thumbnail of a picture in PNG, JPEG, WebP, AVIF, or TIFF: at most 320 × 400 pixels, never enlarged, and at most
 * `MAX_THUMBNAIL_BYTES`. Resolves to undefined for a picture that takes too long to decode, and for any other format.
 */
export async function makeThumbnail(source: Buffer): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  const image = sharp(source, { sequentialRead: true, limitInputPixels: false });
  const { width, height, format } = await image.metadata();
  const scale = Math.min(1, MAX_WIDTH_PX / width);
  const shown = { width, height: Math.min(height, Math.ceil(MAX_HEIGHT_PX / scale)) };
  const decodedPixels = width * (READ_WHOLE.has(format) ? height : shown.height);
  if (decodedPixels > (MAX_PIXELS[format] ?? 0)) return undefined;
  const { data, info } = await shrunk(image, shown, scale).raw().toBuffer({ resolveWithObject: true });
  for (const encoding of ENCODINGS) {
    const picture = sharp(data, { raw: info }).resize(Math.max(1, Math.round(info.width * encoding.scale)));
    const thumbnail = await picture.webp({ quality: encoding.quality, effort: 2 }).toBuffer();
    if (thumbnail.length <= MAX_THUMBNAIL_BYTES) return thumbnail;
  }
  return undefined;
}

/** The top of an image, in the size of its thumbnail. */
function shrunk(image: Sharp, { width, height }: Size, scale: number): Sharp {
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  return image
    .extract({ left: 0, top: 0, width, height })
    .resize({ ...size, fit: "fill" })
    .toColorspace("srgb");
}
