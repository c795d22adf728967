// Finds the colours that dominate an image.
import { BYTES_PER_PIXEL, openRaster, pixelBlocks, type Raster, type RasterSource } from "./raster-source.ts";

export interface DominantColour {
  /** `#rrggbb`, a colour that really occurs in the image. */
  readonly colour: string;
  /** Of the pixels that can be seen, between 0 and 1: those of this colour and of ones that look like it. */
  readonly share: number;
}

/** At most `count` colours, most frequent first; none for an image that is transparent. */
export async function palette(raster: Raster, count: number): Promise<DominantColour[]> {
  const frequencies = await countColours(await openRaster(raster));
  const total = frequencies.reduce((sum, { pixels }) => sum + pixels, 0);
  return groupAlike(frequencies)
    .sort((a, b) => b.pixels - a.pixels)
    .slice(0, count)
    .map(({ rgb, pixels }) => ({ colour: `#${rgb.toString(16).padStart(6, "0")}`, share: pixels / total }));
}

interface Frequency {
  /** 0xrrggbb */
  readonly rgb: number;
  pixels: number;
}

/** Of pixels on a grid over the image. Most frequent first. */
async function countColours(source: RasterSource): Promise<Frequency[]> {
  const counts = new Map<number, number>();
  const step = Math.ceil(Math.sqrt((source.width * source.height) / MOST_SAMPLES));
  for await (const { top, height, pixels } of pixelBlocks(source)) {
    for (let row = Math.ceil(top / step); row * step < top + height; row++) {
      const start = (row * step - top) * source.width;
      // Shifted from row to row, lest all samples lie between the columns of a table.
      for (let x = (row * 7) % step; x < source.width; x += step) {
        const at = (start + x) * BYTES_PER_PIXEL;
        if (pixels.readUInt8(at + 3) < MOSTLY_OPAQUE) continue;
        const rgb = pixels.readUIntBE(at, 3);
        counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
      }
    }
  }
  return [...counts].map(([rgb, pixels]) => ({ rgb, pixels })).sort((a, b) => b.pixels - a.pixels);
}

const MOST_SAMPLES = 65_536;
const MOSTLY_OPAQUE = 128;

/** Each colour joins the first, that is the most frequent, of those it looks like. */
function groupAlike(frequencies: readonly Frequency[]): Frequency[] {
  const groups: Frequency[] = [];
  for (const { rgb, pixels } of frequencies) {
    const group = groups.find((each) => looksAlike(each.rgb, rgb));
    if (group) group.pixels += pixels;
    else groups.push({ rgb, pixels });
  }
  return groups;
}

/** In steps of a channel, as a distance in the cube of red, green and blue. */
const ALIKE = 48;

function looksAlike(a: number, b: number): boolean {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return red * red + green * green + blue * blue < ALIKE * ALIKE;
}
