// Cuts a tall image into pieces that follow each other, for readers that take no tall images.
import type { ImageFormat } from "../../contract/formats.ts";
import type { Encoding } from "./encoding.ts";
import { compose } from "./raster.ts";
import { openRaster, type Raster } from "./raster-source.ts";

/** In pixels of the image. */
export interface Slicing {
  readonly height: number;
  /** The rows that a slice has in common with the one before it; less than `height`. */
  readonly overlap: number;
  readonly encoding: Encoding;
  /** For each slice; see `Composition`. */
  readonly timeoutMs?: number | undefined;
}

export interface Slice {
  readonly body: Buffer;
  /** That of `Slicing`: the image they are cut from may be too tall for it, and of another. */
  readonly format: ImageFormat;
  readonly top: number;
  readonly height: number;
}

/** From top to bottom; the last may be lower than the others, but always has rows that none before it has. */
export async function sliceImage(raster: Raster, { height, overlap, encoding, timeoutMs }: Slicing): Promise<Slice[]> {
  const source = await openRaster(raster);
  const slices: Slice[] = [];
  for (const { top, height: rows } of sliceRows(source.height, height, overlap)) {
    const crop = { left: 0, top, width: source.width, height: rows };
    const { body } = await compose(source, { crop, encoding, timeoutMs });
    slices.push({ body, format: encoding.format, top, height: rows });
  }
  return slices;
}

/** Where the slices of an image of `total` rows lie. Throws when an overlap leaves no new row to a slice. */
export function sliceRows(total: number, height: number, overlap: number): { top: number; height: number }[] {
  const step = height - overlap;
  if (!(step >= 1)) throw new RangeError(`Slices of ${height} rows cannot overlap by ${overlap}.`);
  const count = 1 + Math.max(0, Math.ceil((total - height) / step));
  return Array.from({ length: count }, (_, index) => {
    const top = index * step;
    return { top, height: Math.min(height, total - top) };
  });
}
