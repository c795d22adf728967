// Thumbnails, and the picture of a report: small WebPs of a result.
import type { Sharp } from "sharp";
import { imageSignature } from "./image-signature.ts";
import type { Size } from "./screenshot/encoding.ts";
import { loadSharp } from "./screenshot/raster-source.ts";
import { MAX_REPORT_PICTURE_BYTES, MAX_THUMBNAIL_BYTES } from "./thumbnail-limits.ts";

/** A taller picture is cropped: its top says what the page is. */
const THUMBNAIL = { width: 320, height: 400 } as const;

/** The first that fits is taken. Noise, which compresses worst, fits in half the size alone. */
const ENCODINGS = [
  { quality: 75, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 30, scale: 1 },
  { quality: 10, scale: 1 },
  { quality: 10, scale: 0.5 },
] as const;

const REPORT_PICTURE = { width: 640, height: 1_024 } as const;

/** Noise fits with the last one. */
const REPORT_QUALITIES = [70, 30] as const;

/**
 * The most pixels that are decoded for a thumbnail: as many as take a fifth of a second. PNG, JPEG, and TIFF are read row by row, and so
 * no further than they are shown; the others are decoded whole, as are interlaced and progressive ones.
 */
const MAX_PIXELS = { byRow: 40_000_000, whole: 4_000_000 } as const;
const READ_BY_ROW: readonly string[] = ["png", "jpeg", "tiff"];
const MAX_SECONDS = 5;

/**
 * Makes the thumbnail of a picture in PNG, JPEG, WebP, AVIF, or TIFF: at most 320 × 400 pixels, never enlarged, and at most
 * `MAX_THUMBNAIL_BYTES`. Resolves to undefined for a picture that takes too long to decode, and for any other format.
 */
export async function makeThumbnail(source: Buffer): Promise<Buffer | undefined> {
  const top = await openTop(source, THUMBNAIL, MAX_PIXELS);
  if (!top) return undefined;
  const sharp = await loadSharp();
  const { data, info } = await top.raw().toBuffer({ resolveWithObject: true });
  for (const encoding of ENCODINGS) {
    const picture = sharp(data, { raw: info }).resize(Math.max(1, Math.round(info.width * encoding.scale)));
    const thumbnail = await picture.webp({ quality: encoding.quality, effort: 2 }).toBuffer();
    if (thumbnail.length <= MAX_THUMBNAIL_BYTES) return thumbnail;
  }
  return undefined;
}

/**
 * Makes the picture of a report: the top of the result, at most 640 × 1,024 pixels and `MAX_REPORT_PICTURE_BYTES`. Resolves to undefined
 * for a format in which no result is.
 */
export async function makeReportPicture(source: Buffer): Promise<Buffer | undefined> {
  for (const quality of REPORT_QUALITIES) {
    const top = await openTop(source, REPORT_PICTURE, { byRow: Infinity, whole: Infinity });
    const picture = await top?.webp({ quality, effort: 0 }).toBuffer();
    if (!picture || picture.length <= MAX_REPORT_PICTURE_BYTES) return picture;
  }
  return undefined;
}

/** The top of a picture within a size; undefined for too many pixels, and for bytes that aren't a format of results. */
async function openTop(source: Buffer, most: Size, maxPixels: Readonly<Record<keyof typeof MAX_PIXELS, number>>) {
  if (imageSignature(source) === undefined) return undefined;
  const sharp = await loadSharp();
  const image = sharp(source, { sequentialRead: true, limitInputPixels: false });
  const { width, height, format, isProgressive } = await image.metadata();
  const scale = Math.min(1, most.width / width);
  const shown = { width, height: Math.min(height, Math.ceil(most.height / scale)) };
  const isReadByRow = READ_BY_ROW.includes(format) && !isProgressive;
  const [pixels, allowed] = isReadByRow ? [width * shown.height, maxPixels.byRow] : [width * height, maxPixels.whole];
  return pixels > allowed ? undefined : shrunk(image, shown, scale).timeout({ seconds: MAX_SECONDS });
}

/** The top of an image, at a scale. */
function shrunk(image: Sharp, { width, height }: Size, scale: number): Sharp {
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  return image
    .extract({ left: 0, top: 0, width, height })
    .resize({ ...size, fit: "fill" })
    .toColorspace("srgb");
}
