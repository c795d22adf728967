// Decodes images: size, the colour at a point, and the colours of a column.
import sharp from "sharp";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** `[red, green, blue, alpha]`, 0 to 255 each. */
  pixelAt(x: number, y: number): number[];
  /** `[red, green, blue]` of an opaque pixel; throws for one that is not. */
  colourAt(x: number, y: number): number[];
  /** Colours down the column `x`, one every `step` pixels, the first at `from` (half a step unless told). */
  columnColours(x: number, step: number, from?: number): number[][];
  /** How many pixels of the column `x` have a colour. */
  countInColumn(x: number, colour: readonly number[]): number;
}

/** A part of an image, in pixels. */
export interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes a PNG, JPEG or WebP of any size, or only a part of it, which needs memory for that part alone: a column of a
 * page 100,000 px tall is cheap. Throws when it is not a whole image.
 */
export async function decode(image: Buffer, part?: Part): Promise<Pixels> {
  const source = sharp(image, { failOn: "warning", limitInputPixels: false });
  const { hasAlpha } = await source.metadata();
  if (part) source.extract({ ...part });
  const { data, info } = await source.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixelAt = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= info.width || y >= info.height) {
      throw new RangeError(`(${x}, ${y}) lies outside of ${info.width} × ${info.height}`);
    }
    const offset = (y * info.width + x) * 4;
    return [...data.subarray(offset, offset + 4)];
  };
  const colourAt = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0, alpha] = pixelAt(x, y);
    if (alpha !== 255) throw new Error(`The pixel at (${x}, ${y}) is not opaque: its alpha is ${alpha}.`);
    return [red, green, blue];
  };
  const columnColours = (x: number, step: number, from = Math.floor(step / 2)) => {
    const colours: number[][] = [];
    for (let y = from; y < info.height; y += step) colours.push(colourAt(x, y));
    return colours;
  };
  return {
    width: info.width,
    height: info.height,
    hasAlpha: hasAlpha ?? false,
    pixelAt,
    colourAt,
    columnColours,
    countInColumn: (x, colour) => columnColours(x, 1).filter((found) => String(found) === String(colour)).length,
  };
}

/** Decodes one column of pixels, `left` pixels from the left edge: cheap for an image of many megapixels. */
export async function decodeColumn(image: Buffer, left: number): Promise<Pixels> {
  const { height } = await sharp(image, { limitInputPixels: false }).metadata();
  return decode(image, { left, top: 0, width: 1, height });
}
