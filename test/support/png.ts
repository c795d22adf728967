// Looks at images: their size, and the colour at a point.
import sharp from "sharp";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** `[red, green, blue, alpha]`, 0 to 255 each. */
  pixelAt(x: number, y: number): number[];
  /** `[red, green, blue]` of an opaque pixel; throws for one that is not. */
  colourAt(x: number, y: number): number[];
}

/** Decodes a PNG, JPEG or WebP. Throws when it is not a whole image. */
export async function decode(image: Buffer): Promise<Pixels> {
  const { hasAlpha } = await sharp(image).metadata();
  const { data, info } = await sharp(image, { failOn: "warning" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixelAt = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= info.width || y >= info.height) {
      throw new RangeError(`(${x}, ${y}) lies outside of ${info.width} × ${info.height}`);
    }
    const offset = (y * info.width + x) * 4;
    return [...data.subarray(offset, offset + 4)];
  };
  return {
    width: info.width,
    height: info.height,
    hasAlpha: hasAlpha ?? false,
    pixelAt,
    colourAt(x, y) {
      const [red = 0, green = 0, blue = 0, alpha] = pixelAt(x, y);
      if (alpha !== 255) throw new Error(`The pixel at (${x}, ${y}) is not opaque: its alpha is ${alpha}.`);
      return [red, green, blue];
    },
  };
}
