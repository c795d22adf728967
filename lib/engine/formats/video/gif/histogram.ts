// Color histogram of the changed part of a frame, and its flat colors.
import type { FrameChange } from "../animation-encoder.ts";
import { COLOR_MASK } from "./color.ts";

/** A color, 0xbbggrr, and its number of pixels. */
export interface WeightedColor {
  readonly color: number;
  readonly pixels: number;
}

export interface Histogram {
  /** The exact colors while they are few; for photos, quantized colors. */
  readonly colors: readonly WeightedColor[];
  /** True when no colors were merged. */
  readonly exact: boolean;
  /** Exact colors of flat areas, most frequent first. */
  readonly flatColors: readonly WeightedColor[];
  readonly pixels: number;
  /** The entry of `colors` in which a color is counted. */
  binFor(color: number): number;
}

/** Minimum run of equal pixels that counts as a flat area; shorter runs are edges or steps of gradients. */
const FLAT_RUN = 8;

/** Width in pixels of the row segments in a sample. */
const SEGMENT_PIXELS = 64;

/**
 * Counts the changed pixels. Above `maxPixels` it counts only an evenly spread sample that misses nothing larger than a
 * few pixels.
 */
export function createHistogram(change: FrameChange, maxPixels = Number.POSITIVE_INFINITY): Histogram {
  const { left, top, width, height } = change.box;
  const counting = new ChangeCounter(change);
  const stride = Number.isFinite(maxPixels) ? Math.ceil(changedPixels(change) / maxPixels) : 1;
  const segment = stride === 1 ? width : SEGMENT_PIXELS;
  for (let row = top; row < top + height; row++) {
    for (let from = (row % stride) * segment; from < width; from += stride * segment) {
      const start = row * change.frame.width + left;
      counting.countRow(start + from, start + Math.min(width, from + segment));
    }
  }
  return counting.histogram();
}

function changedPixels({ frame, before, box }: FrameChange): number {
  if (!before) return box.width * box.height;
  let count = 0;
  for (let row = box.top; row < box.top + box.height; row++) {
    const start = row * frame.width + box.left;
    for (let at = start; at < start + box.width; at++) if (frame.data[at] !== before.data[at]) count++;
  }
  return count;
}

class ChangeCounter {
  readonly #frame: Uint32Array;
  readonly #before: Uint32Array | undefined;
  readonly #counter = new ColorCounter();
  readonly #flatColors = new Map<number, number>();
  #pixels = 0;

  constructor({ frame, before }: FrameChange) {
    this.#frame = frame.data;
    this.#before = before?.data;
  }

  /** Counts the pixels `from` up to but not including `to`, within one row. */
  countRow(from: number, to: number): void {
    const [frame, before] = [this.#frame, this.#before];
    for (let at = from; at < to; ) {
      const pixel = frame[at] as number;
      const start = at;
      let unchanged = 0;
      for (; at < to && frame[at] === pixel; at++) if (before?.[at] === pixel) unchanged++;
      const run = at - start - unchanged;
      if (run > 0) this.#add(pixel & COLOR_MASK, run);
    }
  }

  #add(color: number, run: number): void {
    this.#pixels += run;
    this.#counter.add(color, run);
    if (run >= FLAT_RUN) this.#flatColors.set(color, (this.#flatColors.get(color) ?? 0) + run);
  }

  histogram(): Histogram {
    const counter = this.#counter;
    const flatColors = [...this.#flatColors].map(([color, pixels]) => ({ color, pixels }));
    return {
      colors: counter.colors(),
      exact: counter.exact,
      flatColors: flatColors.sort((a, b) => b.pixels - a.pixels),
      pixels: this.#pixels,
      binFor: (color) => counter.binFor(color),
    };
  }
}

/** Size of the hash table, a power of two: at most half full, and small enough for a core's cache. */
const SLOTS = 1 << 15;

/** Masks of the channel bits that are kept, one bit less in each step. */
const MASKS = [0xffffff, 0xfefefe, 0xfcfcfc, 0xf8f8f8];

/** Counts colors in a hash table of fixed size; when it is full, colors that differ only in the last bit are merged. */
class ColorCounter {
  #keys = new Int32Array(SLOTS).fill(-1);
  #counts = new Uint32Array(SLOTS);
  #used = 0;
  #coarseness = 0;

  get exact(): boolean {
    return this.#coarseness === 0;
  }

  add(color: number, count: number): void {
    const key = color & (MASKS[this.#coarseness] as number);
    let slot = Math.imul(key, 0x9e3779b1) >>> 17;
    while (this.#keys[slot] !== key) {
      if (this.#keys[slot] === -1) {
        if (this.#used === SLOTS / 2 && this.#coarseness < MASKS.length - 1) {
          this.#coarsen();
          this.add(color, count);
          return;
        }
        this.#keys[slot] = key;
        this.#used++;
        break;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.#counts[slot] = (this.#counts[slot] as number) + count;
  }

  #coarsen(): void {
    const all = this.colors();
    this.#coarseness++;
    this.#keys.fill(-1);
    this.#counts.fill(0);
    this.#used = 0;
    for (const { color, pixels } of all) this.add(color, pixels);
  }

  /** A merged color is represented by the middle of its range. */
  binFor(color: number): number {
    const middle = this.#coarseness === 0 ? 0 : 0x010101 << (this.#coarseness - 1);
    return (color & (MASKS[this.#coarseness] as number)) | middle;
  }

  colors(): WeightedColor[] {
    const all: WeightedColor[] = [];
    for (let slot = 0; slot < SLOTS; slot++) {
      const key = this.#keys[slot] as number;
      if (key !== -1) all.push({ color: this.binFor(key), pixels: this.#counts[slot] as number });
    }
    return all;
  }
}
