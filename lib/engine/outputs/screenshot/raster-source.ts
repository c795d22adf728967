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
  const strips = placeTiles(await Promise.all([raster].flat().map((body) => readTile(sharp, body))));
  return {
    width: strips[0]?.width ?? 0,
    height: strips.reduce((sum, { height }) => sum + height, 0),
    open({ left, top, width, height }) {
      const touched = strips.filter((strip) => strip.top < top + height && top < strip.top + strip.height);
      const [first, ...others] = touched.map(({ body }) => body);
      if (!first) throw new RangeError(`The rows from ${top} to ${top + height} are not in the image.`);
      const image = others.length === 0 ? sharp(first) : sharp([first, ...others], { join: { across: 1 } });
      return image.extract({ left, top: top - (touched[0]?.top ?? 0), width, height });
    },
  };
}

interface Tile extends Size {
  readonly body: Buffer;
}

async function readTile(sharp: SharpLibrary, body: Buffer): Promise<Tile> {
  const { width, height } = await sharp(body).metadata();
  return { body, width, height };
}

/** Strips with the row each of them begins at. */
function placeTiles(strips: readonly Tile[]): (Tile & { readonly top: number })[] {
  const [{ width, height } = { width: 0, height: 0 }] = strips;
  if (strips.some((strip) => strip.width !== width)) throw new RangeError("The strips of an image differ in width.");
  // They are joined in a grid, each row of which is as high as the highest image in it all.
  const [last] = strips.slice(-1);
  if (strips.some((strip) => strip.height !== height && !(strip === last && strip.height < height))) {
    throw new RangeError("The strips of an image differ in height.");
  }
  return strips.map((strip, at) => ({ ...strip, top: at * height }));
}

export const BYTES_PER_PIXEL = 4;

/** Red, green, blue and alpha of each pixel, row by row, a byte each. */
export function rgba(image: Sharp): Promise<Buffer> {
  return image.toColourspace("srgb").ensureAlpha().raw().toBuffer();
}

type SharpLibrary = typeof import("sharp").default;

let loading: Promise<SharpLibrary> | undefined;

/** The import takes 50 ms and 22 MB, which most captures can do without. */
export function loadSharp(): Promise<SharpLibrary> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // No image is worked on twice.
    sharp.cache(false);
    // The encoder of AVIF alone gains from more, and a function has no more than two cores.
    sharp.concurrency(2);
    return sharp;
  });
  return loading;
}
