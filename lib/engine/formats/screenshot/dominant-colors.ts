// Finds the dominant colors of an image.
import { BYTES_PER_PIXEL, openRaster, type Raster, type RasterSource, rgba } from "./raster-source.ts";

export interface DominantColor {
  /** `#rrggbb`, a color that occurs in the image. */
  readonly colour: string;
  /** Share of the visible pixels, 0 to 1, including similar colors. */
  readonly share: number;
}

/** Returns at most `count` colors, most frequent first; none for a transparent image. */
export async function dominantColors(raster: Raster, count: number): Promise<DominantColor[]> {
  const frequencies = await countColors(await openRaster(raster));
  const total = frequencies.reduce((sum, { pixels }) => sum + pixels, 0);
  return groupSimilar(frequencies)
    .sort((a, b) => b.pixels - a.pixels)
    .slice(0, count)
    .map(({ rgb, pixels }) => ({ colour: `#${rgb.toString(16).padStart(6, "0")}`, share: pixels / total }));
}

interface Frequency {
  /** 0xrrggbb */
  readonly rgb: number;
  pixels: number;
}

/** Counts the colors of pixels on a grid over the image, most frequent first. */
async function countColors({ width, height, open }: RasterSource): Promise<Frequency[]> {
  const grid = { width: Math.min(width, MAX_COLUMNS), height: Math.min(height, MAX_ROWS) };
  // Picks pixels instead of averaging: a mean of text and background is neither.
  const image = open({ left: 0, top: 0, width, height }).resize({ ...grid, fit: "fill", kernel: "nearest" });
  const pixels = await rgba(image);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += BYTES_PER_PIXEL) {
    if (pixels.readUInt8(at + 3) < MIN_VISIBLE_ALPHA) continue;
    const rgb = pixels.readUIntBE(at, 3);
    counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  }
  return [...counts].map(([rgb, pixels]) => ({ rgb, pixels })).sort((a, b) => b.pixels - a.pixels);
}

const MAX_COLUMNS = 128;
/** Each row takes a millisecond or two in a tall image. */
const MAX_ROWS = 512;
const MIN_VISIBLE_ALPHA = 128;

/** Merges each color into the most frequent one that is similar to it. */
function groupSimilar(frequencies: readonly Frequency[]): Frequency[] {
  const groups: Frequency[] = [];
  for (const { rgb, pixels } of frequencies) {
    const group = groups.find((each) => isSimilar(each.rgb, rgb));
    if (group) group.pixels += pixels;
    else groups.push({ rgb, pixels });
  }
  return groups;
}

/** Euclidean distance in RGB. */
const SIMILAR_DISTANCE = 48;

function isSimilar(a: number, b: number): boolean {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return red * red + green * green + blue * blue < SIMILAR_DISTANCE * SIMILAR_DISTANCE;
}
