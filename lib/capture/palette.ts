// Finds the colours that dominate an image.
import type { Size } from "./encoding.ts";
import { BYTES_PER_PIXEL, openRaster, type Raster, rgba } from "./raster-source.ts";

export interface DominantColour {
  /** `#rrggbb`, a colour that really occurs in the image. */
  readonly colour: string;
  /** Of the pixels that can be seen, between 0 and 1: those of this colour and of ones that look like it. */
  readonly share: number;
}

/** At most `count` colours, most frequent first; none for an image that is transparent. */
export async function palette(raster: Raster, count: number): Promise<DominantColour[]> {
  const source = await openRaster(raster);
  const image = source.open({ left: 0, top: 0, width: source.width, height: source.height });
  // Pixels are picked, not averaged: a mean of text and paper is neither.
  const pixels = await rgba(image.resize({ ...sampleSize(source), fit: "fill", kernel: "nearest" }));
  const frequencies = countColours(pixels);
  const total = frequencies.reduce((sum, { pixels }) => sum + pixels, 0);
  return groupAlike(frequencies)
    .sort((a, b) => b.pixels - a.pixels)
    .slice(0, count)
    .map(({ rgb, pixels }) => ({ colour: `#${rgb.toString(16).padStart(6, "0")}`, share: pixels / total }));
}

const SAMPLES = 65_536;

function sampleSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(SAMPLES / (width * height)));
  const columns = Math.max(1, Math.round(width * scale));
  return { width: columns, height: Math.max(1, Math.min(height, Math.floor(SAMPLES / columns))) };
}

interface Frequency {
  /** 0xrrggbb */
  readonly rgb: number;
  pixels: number;
}

/** Most frequent first. */
function countColours(pixels: Buffer): Frequency[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += BYTES_PER_PIXEL) {
    if (pixels.readUInt8(at + 3) < MOSTLY_OPAQUE) continue;
    const rgb = pixels.readUIntBE(at, 3);
    counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  }
  return [...counts].map(([rgb, pixels]) => ({ rgb, pixels })).sort((a, b) => b.pixels - a.pixels);
}

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
