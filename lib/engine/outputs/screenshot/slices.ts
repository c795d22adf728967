// Cuts a tall image into pieces that follow each other, for readers that take no tall images.
import type { CaptureLimits } from "../../../options/capture-limits.ts";
import type { ImageFormat } from "../../../options/formats.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { assertBytes } from "../result-limits.ts";
import type { Encoding } from "./encoding.ts";
import { compose } from "./raster.ts";
import { openRaster, type Raster } from "./raster-source.ts";

/** In pixels of the image. */
export interface Slicing {
  readonly height: number;
  /** The rows that a slice has in common with the one before it; less than `height`. */
  readonly overlap: number;
  readonly encoding: Encoding;
  readonly limits: CaptureLimits;
  /** Milliseconds for all that is still to be made. Nobody waits for slices that come later. */
  readonly timeLeft: () => number;
}

export interface Slice {
  readonly body: Buffer;
  /** That of `Slicing`: the image they are cut from may be too tall for it, and of another. */
  readonly format: ImageFormat;
  readonly top: number;
  readonly height: number;
}

/**
 * From top to bottom; the last may be lower than the others, but always has rows that none before it has. Where they
 * overlap they are many times as much as the image: throws `RESULT_TOO_LARGE` as soon as that is too much, and
 * `TimeoutError` when it takes too long.
 */
export async function sliceImage(raster: Raster, slicing: Slicing): Promise<Slice[]> {
  const { height, overlap, encoding, limits, timeLeft } = slicing;
  const source = await openRaster(raster);
  const slices: Slice[] = [];
  let bytes = 0;
  for (const { top, height: rows } of sliceRows(source.height, height, overlap)) {
    const timeoutMs = timeLeft();
    if (timeoutMs <= 0) throw new TimeoutError("the slices of the image");
    const crop = { left: 0, top, width: source.width, height: rows };
    const { body } = await compose(source, { crop, encoding, timeoutMs });
    bytes += body.length;
    assertBytes(bytes, "slices", limits);
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
