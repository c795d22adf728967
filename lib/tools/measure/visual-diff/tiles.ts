// Compares parts of pictures in tiles: small enough to find a lost line of text, coarse enough to ignore how its edges are smoothed.
import sharp from "sharp";

/** Pictures are compared at a quarter of their size in CSS pixels. */
const SHRINK = 4;
/** Edge of a tile, in pixels of the shrunk picture. */
const TILE = 8;
/** Edge of a tile in CSS pixels. */
/** Mean difference of the channels of a tile, 0 to 255, above which it differs. */
const MAX_MEAN_DIFFERENCE = 20;

/** A rectangle in CSS pixels. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A decoded picture, three bytes for each device pixel. */
export interface DecodedPicture {
  readonly pixels: Buffer;
  /** In device pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly scale: number;
}

export interface TileComparison {
  readonly compared: number;
  /** Tiles that differ, in CSS pixels of the first part. */
  readonly differing: readonly Rect[];
}

/** Decodes a PNG, JPEG or WebP; what is transparent becomes white. */
export async function decodePicture(image: Buffer, scale = 1): Promise<DecodedPicture> {
  const { data, info } = await sharp(image, { limitInputPixels: false })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`The picture has ${info.channels} channels instead of 3.`);
  return { pixels: data, width: info.width, height: info.height, scale };
}

export const intersects = (one: Rect, other: Rect) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;

/** The size of a picture in CSS pixels. */
export const sizeOf = ({ width, height, scale }: DecodedPicture) => ({
  width: Math.round(width / scale),
  height: Math.round(height / scale),
});

/** A part of a picture, as much of it as there is; `rect` in CSS pixels. */
export function cropPicture({ pixels, width, scale, ...picture }: DecodedPicture, rect: Rect): DecodedPicture {
  const [left, top] = [Math.round(rect.left * scale), Math.round(rect.top * scale)];
  const size = {
    width: Math.max(0, Math.min(width - left, Math.round(rect.width * scale))),
    height: Math.max(0, Math.min(picture.height - top, Math.round(rect.height * scale))),
  };
  const cropped = Buffer.alloc(size.width * size.height * 3);
  for (let row = 0; row < size.height; row++) {
    const from = ((top + row) * width + left) * 3;
    pixels.copy(cropped, row * size.width * 3, from, from + size.width * 3);
  }
  return { pixels: cropped, ...size, scale };
}

/**
 * Compares `part` of one picture with the part of the same size at `at` of another, tile by tile. Where `isLeftOut` says so
 * of a tile (in CSS pixels of the first picture), it is not compared. What lies outside of a picture differs from everything.
 */
export function compareTiles(
  one: DecodedPicture,
  part: Rect,
  other: DecodedPicture,
  at: { readonly left: number; readonly top: number },
  { isLeftOut = () => false, maxDifference = MAX_MEAN_DIFFERENCE }: TileOptions = {},
): TileComparison {
  const differing: Rect[] = [];
  let compared = 0;
  const [first, second] = [shrink(one, part), shrink(other, { ...part, ...at })];
  for (let top = 0; top < first.height; top += TILE) {
    for (let left = 0; left < first.width; left += TILE) {
      const tile = {
        left: part.left + left * SHRINK,
        top: part.top + top * SHRINK,
        width: Math.min(TILE, first.width - left) * SHRINK,
        height: Math.min(TILE, first.height - top) * SHRINK,
      };
      if (isLeftOut(tile)) continue;
      compared++;
      if (meanDifference(first, second, left, top) > maxDifference) differing.push(tile);
    }
  }
  return { compared, differing };
}

export interface TileOptions {
  readonly isLeftOut?: (tile: Rect) => boolean;
  /** @default MAX_MEAN_DIFFERENCE */
  readonly maxDifference?: number;
}

/** Channels of a shrunk part; OUTSIDE where the picture does not reach. */
interface Shrunk {
  readonly channels: Int16Array;
  readonly width: number;
  readonly height: number;
}

const OUTSIDE = -1;

/** The mean of each square of SHRINK × SHRINK CSS pixels. */
function shrink({ pixels, width, height, scale }: DecodedPicture, part: Rect): Shrunk {
  const step = SHRINK * scale;
  const [x0, y0] = [Math.round(part.left * scale), Math.round(part.top * scale)];
  const size = { width: Math.floor(part.width / SHRINK), height: Math.floor(part.height / SHRINK) };
  const channels = new Int16Array(size.width * size.height * 3).fill(OUTSIDE);
  for (let row = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++) {
      const [left, top] = [x0 + column * step, y0 + row * step];
      if (left < 0 || top < 0 || left + step > width || top + step > height) continue;
      let [red, green, blue] = [0, 0, 0];
      for (let y = top; y < top + step; y++) {
        for (let at = (y * width + left) * 3, end = at + step * 3; at < end; at += 3) {
          red += pixels[at] ?? 0;
          green += pixels[at + 1] ?? 0;
          blue += pixels[at + 2] ?? 0;
        }
      }
      const to = (row * size.width + column) * 3;
      const count = step * step;
      channels[to] = red / count;
      channels[to + 1] = green / count;
      channels[to + 2] = blue / count;
    }
  }
  return { channels, ...size };
}

function meanDifference(one: Shrunk, other: Shrunk, left: number, top: number): number {
  let [sum, count] = [0, 0];
  for (let y = top; y < Math.min(top + TILE, one.height); y++) {
    for (let x = left; x < Math.min(left + TILE, one.width); x++) {
      const at = (y * one.width + x) * 3;
      for (let channel = at; channel < at + 3; channel++) {
        const [a = OUTSIDE, b = OUTSIDE] = [one.channels[channel], other.channels[channel]];
        sum += (a === OUTSIDE) === (b === OUTSIDE) ? Math.abs(a - b) : 255;
        count++;
      }
    }
  }
  return sum / count;
}
