// Finds rows of a window that can be repeated where the picture has more rows than the window.
import type { Pixels } from "../formats/screenshot/raster-source.ts";
import { isSame, type PixelBox } from "./compare.ts";

type Columns = Pick<PixelBox, "x" | "width">;

/** Rows next to each other that have to look the same for one of them to be repeated. */
const STEADY_ROWS = 3;

/** The largest share of the picture above whose end a part is stretched. */
const MAX_ABOVE = 0.25;

/** True when a row looks like those above it, as in a slow gradient. */
export function isSteady({ data, width }: Pixels, row: number, { x, width: columns }: Columns): boolean {
  if (row < STEADY_ROWS - 1) return false;
  const part = (each: number) => data.subarray(each * width + x, each * width + x + columns);
  const last = part(row);
  for (let above = row - STEADY_ROWS + 1; above < row; above++)
    if (!part(above).every((pixel, column) => isSame(pixel, last[column] ?? 0))) return false;
  return true;
}

/**
 * The row below which columns that do not scroll are stretched: the last one that looks like most others, so that what stands at the
 * foot of a side bar stays there, and no line of text is repeated. `end` where none does.
 */
export function findStretchRow(pixels: Pixels, columns: Columns, { from, end }: { from: number; end: number }): number {
  const counts = new Map<number, number>();
  const hashes = new Map<number, number>();
  for (let row = from + STEADY_ROWS - 1; row < end; row++) {
    if (!isSteady(pixels, row, columns)) continue;
    const hash = hashRow(pixels, row, columns);
    hashes.set(row, hash);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  for (let row = end - 1; row > end - MAX_ABOVE * pixels.height; row--)
    if (counts.get(hashes.get(row) ?? Number.NaN) === most) return row + 1;
  for (let row = end - 1; row > end - MAX_ABOVE * pixels.height; row--) if (hashes.has(row)) return row + 1;
  return end;
}

/** FNV-1a. */
function hashRow({ data, width }: Pixels, row: number, { x, width: columns }: Columns): number {
  let hash = 2_166_136_261;
  for (let column = x; column < x + columns; column++)
    hash = Math.imul(hash ^ (data[row * width + column] ?? 0), 16_777_619);
  return hash;
}
