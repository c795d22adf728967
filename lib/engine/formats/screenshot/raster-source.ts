// Opens an image for processing: a whole one, or tiles of one too tall to be captured at once.
import type { Sharp } from "sharp";
import type { Size } from "./encoding.ts";

/**
 * An image, or its tiles from top to bottom, as PNG, JPEG or WebP. Tiles have the same width and the same height,
 * except that the last may be lower.
 */
export type Raster = Buffer | readonly Buffer[];

/** In image pixels. */
export interface PixelArea extends Size {
  readonly left: number;
  readonly top: number;
}

/** The pixels of an image, row by row, a number for each: its components in the order of the bytes, red first (0xaabbggrr). */
export interface Pixels extends Size {
  readonly data: Uint32Array;
}

export interface RasterSource extends Size {
  /** Opens a part of the image: decodes only the tiles it touches, row by row. */
  open(area: PixelArea): Sharp;
}

/** Opens an image by its headers. Throws when one of them is not an image, or when the tiles do not fit together. */
export async function openRaster(raster: Raster): Promise<RasterSource> {
  const sharp = await loadSharp();
  const tiles = placeTiles(await Promise.all([raster].flat().map((body) => readTile(sharp, body))));
  return {
    width: tiles[0]?.width ?? 0,
    height: tiles.reduce((sum, { height }) => sum + height, 0),
    open({ left, top, width, height }) {
      const touched = tiles.filter((tile) => tile.top < top + height && top < tile.top + tile.height);
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

/** Adds the row at which each tile starts. */
function placeTiles(tiles: readonly Tile[]): (Tile & { readonly top: number })[] {
  const [{ width, height } = { width: 0, height: 0 }] = tiles;
  if (tiles.some((tile) => tile.width !== width)) throw new RangeError("The tiles of an image differ in width.");
  // sharp joins images in a grid whose rows are all as high as the highest image.
  const [last] = tiles.slice(-1);
  if (tiles.some((tile) => tile.height !== height && !(tile === last && tile.height < height))) {
    throw new RangeError("The tiles of an image differ in height.");
  }
  return tiles.map((tile, at) => ({ ...tile, top: at * height }));
}

export const BYTES_PER_PIXEL = 4;

/** RGBA bytes of each pixel, row by row. */
export function rgba(image: Sharp): Promise<Buffer> {
  return image.toColorspace("srgb").ensureAlpha().raw().toBuffer();
}

type SharpLibrary = typeof import("sharp").default;

let loading: Promise<SharpLibrary> | undefined;

/** Loaded on first use: the import takes 50 ms and 22 MB, and most captures do not need it. */
export function loadSharp(): Promise<SharpLibrary> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // No image is processed twice.
    sharp.cache(false);
    // Only the AVIF encoder benefits from more threads, and a function has at most two cores.
    sharp.concurrency(2);
    return sharp;
  });
  return loading;
}
