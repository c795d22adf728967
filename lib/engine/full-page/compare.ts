// Compares pictures of windows, row by row.

import { loadSharp, type Pixels, rgba } from "../formats/screenshot/raster-source.ts";
import { type Area, toDevicePixels } from "../geometry/area.ts";
import type { Pane } from "./panes.page.ts";

/** In image pixels. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a pane is in the picture of a window, which shows `area`. The page itself fills it. */
export function paneBox({ isPage, x, y, width, height }: Pane, area: Area, scale: number): PixelBox {
  const picture = toDevicePixels(area, scale);
  if (isPage) return { x: 0, y: 0, width: picture.width, height: picture.height };
  const [left, top] = [Math.max(0, Math.round(x * scale)), Math.max(0, Math.round(y * scale))];
  return {
    x: left,
    y: top,
    width: Math.min(picture.width - left, Math.round(width * scale)),
    height: Math.min(picture.height - top, Math.round(height * scale)),
  };
}

/** The largest difference of a component, from 0 to 255, of pixels that count as equal. */
const TOLERANCE = 8;

/** The share of different pixels in each common row of two windows. The lower one begins `shift` rows further down. */
export function differences(
  upper: Pixels,
  lower: Pixels,
  { box, shift }: { readonly box: PixelBox; readonly shift: number },
): Float32Array {
  const shares = new Float32Array(Math.max(0, box.height - shift));
  for (let row = 0; row < shares.length; row++)
    shares[row] = differentShare(upper, lower, { box, upperRow: box.y + row + shift, lowerRow: box.y + row });
  return shares;
}

interface RowPair {
  readonly box: PixelBox;
  readonly upperRow: number;
  readonly lowerRow: number;
}

function differentShare(upper: Pixels, lower: Pixels, { box, upperRow, lowerRow }: RowPair): number {
  const [one, other] = [upperRow * upper.width + box.x, lowerRow * lower.width + box.x];
  if (bytesOf(upper, one, box.width).equals(bytesOf(lower, other, box.width))) return 0;
  let different = 0;
  for (let x = 0; x < box.width; x++) if (!isSame(upper.data[one + x] ?? 0, lower.data[other + x] ?? 0)) different++;
  return different / box.width;
}

function bytesOf({ data }: Pixels, from: number, count: number): Buffer {
  return Buffer.from(data.buffer, data.byteOffset + 4 * from, 4 * count);
}

/** True for pixels that look the same. */
export function isSame(one: number, other: number): boolean {
  if (one === other) return true;
  for (let shift = 0; shift < 32; shift += 8)
    if (Math.abs(((one >>> shift) & 255) - ((other >>> shift) & 255)) > TOLERANCE) return false;
  return true;
}

export async function decode(image: Buffer): Promise<Pixels> {
  const sharp = await loadSharp();
  const opened = sharp(image);
  const { width, height } = await opened.metadata();
  const bytes = await rgba(opened);
  return { width, height, data: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) };
}
