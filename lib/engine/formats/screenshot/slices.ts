// Cuts a tall image into consecutive slices, for consumers that do not accept tall images.
import type { CaptureLimits } from "../../../contract/options/capture-limits.ts";
import type { ImageFormat } from "../../../contract/options/formats.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { assertBytes } from "../result-limits.ts";
import type { ImageEncoding } from "./encoding.ts";
import { composeFromSource } from "./raster.ts";
import { openRaster, type Raster } from "./raster-source.ts";

/** Heights in image pixels. */
export interface Slicing {
  readonly height: number;
  /** Rows that a slice shares with the previous one; less than `height`. */
  readonly overlap: number;
  readonly encoding: ImageEncoding;
  readonly limits: CaptureLimits;
  /** Milliseconds left for the remaining slices. */
  readonly timeLeft: () => number;
}

export interface Slice {
  readonly body: Buffer;
  /** The format of `Slicing.encoding`; the whole image may be too tall for it and have another. */
  readonly format: ImageFormat;
  readonly top: number;
  readonly height: number;
}

/**
 * Cuts the slices from top to bottom. The last may be lower than the others, but has rows that no other has.
 * Overlapping slices can take many times the size of the image: throws `RESULT_TOO_LARGE` as soon as they do, and
 * `TimeoutError` when time is up.
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
    const { body } = await composeFromSource(source, { crop, encoding, timeoutMs });
    bytes += body.length;
    assertBytes(bytes, "slices", limits);
    slices.push({ body, format: encoding.format, top, height: rows });
  }
  return slices;
}

/** Positions of the slices of an image with `total` rows. Throws when the overlap leaves a slice no new row. */
export function sliceRows(total: number, height: number, overlap: number): { top: number; height: number }[] {
  const step = height - overlap;
  if (!(step >= 1)) throw new RangeError(`Slices of ${height} rows cannot overlap by ${overlap}.`);
  const count = 1 + Math.max(0, Math.ceil((total - height) / step));
  return Array.from({ length: count }, (_, index) => {
    const top = index * step;
    return { top, height: Math.min(height, total - top) };
  });
}
