// Nearest-neighbour search in a palette, with a grid of cells instead of trying all colors.
import { BLUE_WEIGHT, blueChannel, distance, GREEN_WEIGHT, greenChannel, RED_WEIGHT, redChannel } from "./color.ts";

/** Side lengths of the large and small cells into which the RGB cube is divided. */
const LARGE = 32;
const SMALL = 8;

export class NearestColor {
  readonly #palette: Int32Array;
  readonly #all: Uint8Array;
  /** For each cell, the colors nearest to any of its points; computed on first use. */
  readonly #large: (Uint8Array | undefined)[] = new Array((256 / LARGE) ** 3).fill(undefined);
  readonly #small: (Uint8Array | undefined)[] = new Array((256 / SMALL) ** 3).fill(undefined);

  /** Takes a palette of at most 256 colors. */
  constructor(palette: readonly number[]) {
    this.#palette = Int32Array.from(palette);
    this.#all = Uint8Array.from(palette, (_, index) => index);
  }

  /** Returns the index of the nearest color; the first one if several are equally near. */
  indexOf(color: number): number {
    const palette = this.#palette;
    const candidates = this.#candidates(color);
    let nearest = 0;
    let minDistance = Number.POSITIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      const index = candidates[at] as number;
      const candidateDistance = distance(palette[index] as number, color);
      if (candidateDistance >= minDistance) continue;
      minDistance = candidateDistance;
      nearest = index;
    }
    return nearest;
  }

  #candidates(color: number): Uint8Array {
    const small = cellIndex(color, SMALL);
    const known = this.#small[small];
    if (known) return known;
    const large = cellIndex(color, LARGE);
    const around = this.#large[large] ?? this.#nearestTo(color, LARGE, this.#all);
    this.#large[large] = around;
    const found = this.#nearestTo(color, SMALL, around);
    this.#small[small] = found;
    return found;
  }

  /**
   * Returns the candidates for a cell: all except those that are farther from its nearest point than another is from
   * its farthest.
   */
  #nearestTo(color: number, size: number, candidates: Uint8Array): Uint8Array {
    const palette = this.#palette;
    const minDistance = new Float64Array(candidates.length);
    const corner = color & ((256 - size) * 0x010101);
    let limit = Number.POSITIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      const other = palette[candidates[at] as number] as number;
      const red = redChannel(other) - redChannel(corner);
      const green = greenChannel(other) - greenChannel(corner);
      const blue = blueChannel(other) - blueChannel(corner);
      minDistance[at] = weighted(nearestSide(red, size), nearestSide(green, size), nearestSide(blue, size));
      const maxDistance = weighted(farthestSide(red, size), farthestSide(green, size), farthestSide(blue, size));
      if (maxDistance < limit) limit = maxDistance;
    }
    return candidates.filter((_, at) => (minDistance[at] as number) <= limit);
  }
}

function cellIndex(color: number, size: number): number {
  const shift = size === LARGE ? 5 : 3;
  const bits = 8 - shift;
  return (
    ((((redChannel(color) >> shift) << bits) | (greenChannel(color) >> shift)) << bits) | (blueChannel(color) >> shift)
  );
}

function weighted(red: number, green: number, blue: number): number {
  return RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue;
}

/** Distance along a channel to the nearest point of a cell that starts at 0. */
function nearestSide(at: number, size: number): number {
  return at < 0 ? at : Math.max(0, at - (size - 1));
}

function farthestSide(at: number, size: number): number {
  return Math.max(Math.abs(at), Math.abs(at - (size - 1)));
}
