// Which colors the changed part of a frame has, and which of them lie flat.
import type { Change } from "../animation-encoder.ts";
import { COLOR_MASK } from "./color.ts";

/** A color, 0xbbggrr, and for how many pixels it stands. */
export interface WeightedColor {
  readonly color: number;
  readonly pixels: number;
}

export interface Histogram {
  /** Exactly the colors of the pixels while they are few; of a photo, colors near them. */
  readonly colors: readonly WeightedColor[];
  /** Whether no two colors were taken for one. */
  readonly exact: boolean;
  /** Exact colors of areas, not of single pixels, most frequent first. */
  readonly flats: readonly WeightedColor[];
  readonly pixels: number;
  /** The one of `colors` that an exact color is counted for. */
  binFor(color: number): number;
}

/** Pixels of one color side by side that make an area: less is an edge, or a step of a gradient. */
const FLAT_RUN = 8;

/** Width of the pieces of rows of which a sample is made, in pixels. */
const PIECE = 64;

/**
 * Counts the pixels that are other ones than before; above `most` of them only a part that is spread evenly, so that
 * nothing that is larger than a few pixels is missed.
 */
export function createHistogram(change: Change, most = Number.POSITIVE_INFINITY): Histogram {
  const { left, top, width, height } = change.box;
  const counting = new Counting(change);
  const oneOf = Number.isFinite(most) ? Math.ceil(changedPixels(change) / most) : 1;
  const piece = oneOf === 1 ? width : PIECE;
  for (let row = top; row < top + height; row++) {
    for (let from = (row % oneOf) * piece; from < width; from += oneOf * piece) {
      const start = row * change.frame.width + left;
      counting.countRow(start + from, start + Math.min(width, from + piece));
    }
  }
  return counting.histogram();
}

function changedPixels({ frame, before, box }: Change): number {
  if (!before) return box.width * box.height;
  let count = 0;
  for (let row = box.top; row < box.top + box.height; row++) {
    const start = row * frame.width + box.left;
    for (let at = start; at < start + box.width; at++) if (frame.data[at] !== before.data[at]) count++;
  }
  return count;
}

class Counting {
  readonly #frame: Uint32Array;
  readonly #before: Uint32Array | undefined;
  readonly #counter = new ColorCounter();
  readonly #flats = new Map<number, number>();
  #pixels = 0;

  constructor({ frame, before }: Change) {
    this.#frame = frame.data;
    this.#before = before?.data;
  }

  /** The pixels from one to before another of the same row. */
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
    if (run >= FLAT_RUN) this.#flats.set(color, (this.#flats.get(color) ?? 0) + run);
  }

  histogram(): Histogram {
    const counter = this.#counter;
    const flats = [...this.#flats].map(([color, pixels]) => ({ color, pixels }));
    return {
      colors: counter.colors(),
      exact: counter.exact,
      flats: flats.sort((a, b) => b.pixels - a.pixels),
      pixels: this.#pixels,
      binFor: (color) => counter.binFor(color),
    };
  }
}

/** Slots of the table, a power of two: half of them are used, and it stays in the cache of a core. */
const SLOTS = 1 << 15;

/** Channel bits that are kept, from all to the fewest: one less in each step. */
const MASKS = [0xffffff, 0xfefefe, 0xfcfcfc, 0xf8f8f8];

/** Counts in a table of fixed size: where it would overflow, colors that differ in their last bit become one. */
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

  /** A color that stands for several is the one in their middle. */
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
