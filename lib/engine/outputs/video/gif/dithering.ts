// Which colors of a palette stand for a color that it does not have: the nearest one, or two of them in a pattern.
import {
  BLUE_WEIGHT,
  blueChannel,
  COLOR_MASK,
  distance,
  GREEN_WEIGHT,
  greenChannel,
  RED_WEIGHT,
  redChannel,
} from "./color.ts";
import { NearestColor } from "./nearest-color.ts";

/** Order in which the pixels of a 4 × 4 square turn from one color to the other: a Bayer matrix. */
export const BAYER_SIZE = 4;
export const bayerMatrix: Uint8Array = bayer(BAYER_SIZE);

function bayer(size: number): Uint8Array {
  const order = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let value = 0;
      for (let bit = 1; bit < size; bit <<= 1) {
        value = (value << 2) | ((((x ^ y) & bit) !== 0 ? 2 : 0) + ((y & bit) !== 0 ? 1 : 0));
      }
      order[y * size + x] = value;
    }
  }
  return order;
}

/**
 * Two colors of a palette as one number: the index of the first in bits 0 to 7, that of the second in 8 to 15, and of
 * how many pixels of 16 the second takes in the bits above. 0 there is the first alone.
 */
export type DitherPair = number;

const PATTERN_LEVELS = BAYER_SIZE * BAYER_SIZE;

/** Distance that nobody sees: a color that has one so near is not mixed. */
const UNSEEN = 3;

/** Distance from which two colors, side by side, are seen as a pattern instead of one in between. */
const COARSE = 3 * 40 ** 2;

/** How much the roughness of a pattern counts against being off in color. */
const ROUGHNESS = 0.4;

/** Colors that are tried as the second one: the nearest to the first. */
const PARTNERS = 8;

/** Mixtures that are kept, a power of two: a screenshot has fewer colors, a photo the same ones again and again. */
const MEMORY = 1 << 16;

export interface Dithering {
  /** At most 256 colors, 0xbbggrr. */
  readonly palette: readonly number[];
  /** Whether colors may be taken for ones a step away, as in a photo: it has too many to look at each. */
  readonly coarse: boolean;
}

export class Ditherer {
  readonly palette: readonly number[];
  readonly #indices: ReadonlyMap<number, number>;
  readonly #nearest: NearestColor;
  readonly #partners: (Uint8Array | undefined)[];
  /** Bits of a color that are looked at, and what the others are taken for. */
  readonly #mask: number;
  readonly #middle: number;
  /** A color, and beside it its mixture, which are read together. */
  readonly #memory = new Int32Array(MEMORY * 2).fill(-1);

  constructor({ palette, coarse }: Dithering) {
    this.palette = palette;
    this.#indices = new Map(palette.map((color, index) => [color, index]));
    this.#nearest = new NearestColor(palette);
    this.#partners = new Array(palette.length).fill(undefined);
    this.#mask = coarse ? 0xfefefe : COLOR_MASK;
    this.#middle = coarse ? 0x010101 : 0;
  }

  has(color: number): boolean {
    return this.#indices.has(color);
  }

  /** Of a pixel, whose alpha does not matter. A color of the palette is never mixed. */
  pairFor(pixel: number): DitherPair {
    const color = pixel & COLOR_MASK;
    const slot = (Math.imul(color, 0x9e3779b1) >>> 16) << 1;
    if (this.#memory[slot] === color) return this.#memory[slot + 1] as DitherPair;
    const coarse = (color & this.#mask) | this.#middle;
    const mixture = this.#indices.get(color) ?? (coarse === color ? this.#mix(color) : this.pairFor(coarse));
    this.#memory[slot] = color;
    this.#memory[slot + 1] = mixture;
    return mixture;
  }

  /** How far a color is from what stands for it, as seen from afar. */
  errorFor(color: number): number {
    const mixture = this.pairFor(color);
    const share = (mixture >> 16) / PATTERN_LEVELS;
    const [first, second] = [this.palette[mixture & 255] as number, this.palette[(mixture >> 8) & 255] as number];
    const red = redChannel(color) - redChannel(first) * (1 - share) - redChannel(second) * share;
    const green = greenChannel(color) - greenChannel(first) * (1 - share) - greenChannel(second) * share;
    const blue = blueChannel(color) - blueChannel(first) * (1 - share) - blueChannel(second) * share;
    return RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue;
  }

  #mix(color: number): DitherPair {
    const first = this.#nearest.indexOf(color);
    const one = this.palette[first] as number;
    let least = distance(one, color);
    let mixture: DitherPair = first;
    if (least <= UNSEEN) return mixture;
    const [red, green, blue] = [
      redChannel(color) - redChannel(one),
      greenChannel(color) - greenChannel(one),
      blueChannel(color) - blueChannel(one),
    ];
    for (const second of this.#partnersOf(first)) {
      const other = this.palette[second] as number;
      const apart = distance(one, other);
      if (apart > COARSE) break;
      const [toRed, toGreen, toBlue] = [
        redChannel(other) - redChannel(one),
        greenChannel(other) - greenChannel(one),
        blueChannel(other) - blueChannel(one),
      ];
      const along = RED_WEIGHT * red * toRed + GREEN_WEIGHT * green * toGreen + BLUE_WEIGHT * blue * toBlue;
      const level = Math.round((along / apart) * PATTERN_LEVELS);
      if (level <= 0) continue;
      const share = Math.min(level, PATTERN_LEVELS / 2) / PATTERN_LEVELS;
      const off =
        RED_WEIGHT * (red - share * toRed) ** 2 +
        GREEN_WEIGHT * (green - share * toGreen) ** 2 +
        BLUE_WEIGHT * (blue - share * toBlue) ** 2;
      const cost = off + ROUGHNESS * share * (1 - share) * apart;
      if (cost >= least) continue;
      least = cost;
      mixture = first | (second << 8) | ((share * PATTERN_LEVELS) << 16);
    }
    return mixture;
  }

  #partnersOf(index: number): Uint8Array {
    let partners = this.#partners[index];
    if (!partners) {
      const color = this.palette[index] as number;
      const byDistance = this.palette
        .map((other, at) => ({ at, away: distance(other, color) }))
        .filter(({ away }) => away > 0)
        .sort((a, b) => a.away - b.away);
      partners = Uint8Array.from(byDistance.slice(0, PARTNERS), ({ at }) => at);
      this.#partners[index] = partners;
    }
    return partners;
  }
}
