// Creates small PNG images pixel by pixel.
import sharp from "sharp";

/** Red, green, blue and, where it is not opaque, alpha: 0 to 255 each. */
export type Colour = readonly number[];

export const RED = [255, 0, 0];
export const GREEN = [0, 128, 0];
export const BLUE = [0, 0, 255];
export const WHITE = [255, 255, 255];
export const BLACK = [0, 0, 0];

/** A PNG with four channels when `colourOf` gives alpha, else with three. */
export function createImage(
  width: number,
  height: number,
  colourOf: (x: number, y: number) => Colour,
  compressionLevel = 6,
): Promise<Buffer> {
  const pixels = Array.from({ length: width * height }, (_, at) => colourOf(at % width, Math.floor(at / width)));
  const channels = pixels[0]?.length === 4 ? 4 : 3;
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels } }).png({ compressionLevel }).toBuffer();
}

/** A colour for each row, by which it can be notified from every other of the first 65,536. */
export function rowColour(row: number): number[] {
  return [row >> 8, row & 255, 128];
}

/** Strips of an image whose rows have the colours of `colourOfRow`. */
export function createTiles(width: number, heights: readonly number[]): Promise<Buffer[]> {
  let top = 0;
  return Promise.all(
    heights.map((height) => {
      const first = top;
      top += height;
      return createImage(width, height, (_, y) => rowColour(first + y));
    }),
  );
}
