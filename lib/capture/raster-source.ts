// Opens an image for processing: one that is whole, or one that lies in strips because it is too tall to be made at once.
import type { Sharp } from "sharp";
import type { Size } from "./encoding.ts";

/**
 * An image, or its strips from top to bottom: all of one width, and of one height but for the last, which may be lower.
 * PNG, JPEG or WebP.
 */
export type Raster = Buffer | readonly Buffer[];

/** In pixels of the image. */
export interface PixelArea extends Size {
  readonly left: number;
  readonly top: number;
}

export interface RasterSource extends Size {
  /** What a part of the image is read by: only the strips that it touches are decoded, row by row. */
  open(area: PixelArea): Sharp;
}

/** Reads the headers only. Throws when one of them is not an image, or when the strips do not belong together. */
export async function openRaster(raster: Raster): Promise<RasterSource> {
  const sharp = await loadSharp();
  const strips = await Promise.all([raster].flat().map(async (body) => ({ body, ...(await headerOf(sharp, body)) })));
  const [{ width, height: rows } = { width: 0, height: 0 }] = strips;
  if (strips.some((strip) => strip.width !== width)) throw new RangeError("The strips of an image differ in width.");
  // Sharp joins by a grid, the rows of which are as high as the highest image.
  const isGrid = strips.every(
    (strip, at) => strip.height === rows || (at === strips.length - 1 && strip.height < rows),
  );
  if (!isGrid) throw new RangeError("The strips of an image differ in height.");
  let height = 0;
  const placed = strips.map((strip) => {
    height += strip.height;
    return { ...strip, top: height - strip.height };
  });

  return {
    width,
    height,
    open(area) {
      const touched = placed.filter(
        (strip) => strip.top < area.top + area.height && area.top < strip.top + strip.height,
      );
      const [first, ...others] = touched;
      if (!first) throw new RangeError(`No row of ${area.top} to ${area.top + area.height} lies in the image.`);
      const image =
        others.length === 0
          ? sharp(first.body)
          : sharp(
              touched.map(({ body }) => body),
              { join: { across: 1 } },
            );
      return image.extract({ left: area.left, top: area.top - first.top, width: area.width, height: area.height });
    },
  };
}

export const BYTES_PER_PIXEL = 4;

/** Red, green, blue and alpha of each pixel, row by row, a byte each. */
export function rgba(image: Sharp): Promise<Buffer> {
  return image.toColourspace("srgb").ensureAlpha().raw().toBuffer();
}

type SharpLibrary = typeof import("sharp").default;

let loading: Promise<SharpLibrary> | undefined;

/** The import takes 50 ms and 22 MB, which most captures can do without. */
function loadSharp(): Promise<SharpLibrary> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // No image is worked on twice.
    sharp.cache(false);
    // The encoder of AVIF alone gains from more, and a function has no more than two cores.
    sharp.concurrency(2);
    return sharp;
  });
  return loading;
}

async function headerOf(sharp: SharpLibrary, body: Buffer): Promise<Size> {
  const { width, height } = await sharp(body).metadata();
  return { width, height };
}
