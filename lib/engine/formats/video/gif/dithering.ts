// Ordered dithering: represents a color by its nearest palette color, or by two palette colors in a Bayer matrix
// pattern.
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

/** Bayer matrix: the order in which the pixels of a 4 × 4 square change from one color to the other. */
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
 * Two palette colors as one number: index of the first in bits 0 to 7, of the second in bits 8 to 15, and above them
 * how many of 16 pixels have the second; 0 means only the first.
 */
export type DitherPair = number;

const PATTERN_LEVELS = BAYER_SIZE * BAYER_SIZE;

/** Imperceptible distance: a color with a palette color this near is not dithered. */
const IMPERCEPTIBLE_DISTANCE = 3;

/** Two colors farther apart are seen as a pattern, not as a color in between. */
const MAX_PAIR_DISTANCE = 3 * 40 ** 2;

/** Weight of the pattern's visibility against its color error. */
const PATTERN_WEIGHT = 0.4;

/** Candidates for the second color: the nearest to the first. */
const MAX_PARTNERS = 8;

/** Size of the cache of pairs, a power of two: a screenshot has fewer colors, a photo repeats them. */
const CACHE_SIZE = 1 << 16;

export interface Dithering {
  /** At most 256 colors, 0xbbggrr. */
  readonly palette: readonly number[];
  /** Whether colors are quantized by one bit per channel, for photos with too many colors. */
  readonly coarse: boolean;
}

export class Ditherer {
  readonly palette: readonly number[];
  readonly #indices: ReadonlyMap<number, number>;
  readonly #nearest: NearestColor;
  readonly #partners: (Uint8Array | undefined)[];
  /** Bits of a color that count, and the value of the others. */
  readonly #mask: number;
  readonly #fill: number;
  /** Cache: each color followed by its pair, so that both are read together. */
  readonly #cache = new Int32Array(CACHE_SIZE * 2).fill(-1);

  constructor({ palette, coarse }: Dithering) {
    this.palette = palette;
    this.#indices = new Map(palette.map((color, index) => [color, index]));
    this.#nearest = new NearestColor(palette);
    this.#partners = new Array(palette.length).fill(undefined);
    this.#mask = coarse ? 0xfefefe : COLOR_MASK;
    this.#fill = coarse ? 0x010101 : 0;
  }

  has(color: number): boolean {
    return this.#indices.has(color);
  }

  /** Returns the pair for a pixel, ignoring alpha. A palette color is never dithered. */
  pairFor(pixel: number): DitherPair {
    const color = pixel & COLOR_MASK;
    const slot = (Math.imul(color, 0x9e3779b1) >>> 16) << 1;
    if (this.#cache[slot] === color) return this.#cache[slot + 1] as DitherPair;
    const coarse = (color & this.#mask) | this.#fill;
    const pair = this.#indices.get(color) ?? (coarse === color ? this.#findPair(color) : this.pairFor(coarse));
    this.#cache[slot] = color;
    this.#cache[slot + 1] = pair;
    return pair;
  }

  /** Distance between a color and its dithered representation, averaged over the pattern. */
  errorFor(color: number): number {
    const pair = this.pairFor(color);
    const share = (pair >> 16) / PATTERN_LEVELS;
    const [first, second] = [this.palette[pair & 255] as number, this.palette[(pair >> 8) & 255] as number];
    const red = redChannel(color) - redChannel(first) * (1 - share) - redChannel(second) * share;
    const green = greenChannel(color) - greenChannel(first) * (1 - share) - greenChannel(second) * share;
    const blue = blueChannel(color) - blueChannel(first) * (1 - share) - blueChannel(second) * share;
    return RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue;
  }

  #findPair(color: number): DitherPair {
    const first = this.#nearest.indexOf(color);
    const firstColor = this.palette[first] as number;
    let lowestCost = distance(firstColor, color);
    let pair: DitherPair = first;
    if (lowestCost <= IMPERCEPTIBLE_DISTANCE) return pair;
    const [red, green, blue] = [
      redChannel(color) - redChannel(firstColor),
      greenChannel(color) - greenChannel(firstColor),
      blueChannel(color) - blueChannel(firstColor),
    ];
    for (const second of this.#findPartners(first)) {
      const otherColor = this.palette[second] as number;
      const pairDistance = distance(firstColor, otherColor);
      if (pairDistance > MAX_PAIR_DISTANCE) break;
      const [toRed, toGreen, toBlue] = [
        redChannel(otherColor) - redChannel(firstColor),
        greenChannel(otherColor) - greenChannel(firstColor),
        blueChannel(otherColor) - blueChannel(firstColor),
      ];
      const along = RED_WEIGHT * red * toRed + GREEN_WEIGHT * green * toGreen + BLUE_WEIGHT * blue * toBlue;
      const level = Math.round((along / pairDistance) * PATTERN_LEVELS);
      if (level <= 0) continue;
      const share = Math.min(level, PATTERN_LEVELS / 2) / PATTERN_LEVELS;
      const colorError =
        RED_WEIGHT * (red - share * toRed) ** 2 +
        GREEN_WEIGHT * (green - share * toGreen) ** 2 +
        BLUE_WEIGHT * (blue - share * toBlue) ** 2;
      const cost = colorError + PATTERN_WEIGHT * share * (1 - share) * pairDistance;
      if (cost >= lowestCost) continue;
      lowestCost = cost;
      pair = first | (second << 8) | ((share * PATTERN_LEVELS) << 16);
    }
    return pair;
  }

  #findPartners(index: number): Uint8Array {
    let partners = this.#partners[index];
    if (!partners) {
      const color = this.palette[index] as number;
      const byDistance = this.palette
        .map((otherColor, at) => ({ at, away: distance(otherColor, color) }))
        .filter(({ away }) => away > 0)
        .sort((a, b) => a.away - b.away);
      partners = Uint8Array.from(byDistance.slice(0, MAX_PARTNERS), ({ at }) => at);
      this.#partners[index] = partners;
    }
    return partners;
  }
}
