// Chooses the colors of a palette: those of flat areas are kept exactly, the others divided by their variance.
import { BLUE_WEIGHT, blueChannel, distance, GREEN_WEIGHT, greenChannel, RED_WEIGHT, redChannel } from "./color.ts";
import type { Histogram, WeightedColor } from "./histogram.ts";
import { NearestColor } from "./nearest-color.ts";

/** At most `size` colors, 0xbbggrr, that show a histogram's pixels as they are, or as nearly as can be. */
export function choosePalette(histogram: Histogram, size: number): number[] {
  const { colors, exact } = histogram;
  if (exact && colors.length <= size) return colors.map(({ color }) => color);
  const flats = flatColors(histogram);
  const settled = new Set(flats.map((color) => histogram.binFor(color)));
  const others = colors.filter(({ color }) => !settled.has(color));
  return refinePalette(flats, medianCut(others, size - flats.length), others);
}

/** Flat colors beyond these are taken for the steps of a gradient. */
const MAX_FLAT_COLORS = 160;

/** Shares of the pixels from which a flat color is kept, and from which it is kept beside one that looks like it. */
const SMALL_SHARE = 0.0003;
const LARGE_SHARE = 0.01;

/** Distance below which two colors are hard to tell apart: about two steps of each channel. */
const ALIKE = 12;

/** Pixels below which nothing is large. */
const LARGE_AREA = 64;

/** Those of areas that are large among what has changed. */
export function largeFlatColors({ flats, pixels }: Histogram): number[] {
  const least = Math.max(LARGE_AREA, LARGE_SHARE * pixels);
  return flats.filter((flat) => flat.pixels >= least).map(({ color }) => color);
}

/** The colors that a palette needs to have exactly: backgrounds, brand colors, text. */
export function flatColors({ flats, pixels }: Histogram): number[] {
  const chosen: number[] = [];
  for (const flat of flats) {
    if (chosen.length === MAX_FLAT_COLORS || flat.pixels < SMALL_SHARE * pixels) break;
    const isLarge = flat.pixels >= LARGE_SHARE * pixels;
    if (isLarge || chosen.every((other) => distance(other, flat.color) > ALIKE)) chosen.push(flat.color);
  }
  return chosen;
}

/** A set of colors that may be divided: `from` to `to` in an order of all. */
interface ColorBox {
  readonly from: number;
  readonly to: number;
  readonly mean: readonly number[];
  /** The channel, as a shift, in which the colors differ most. */
  readonly widest: number;
  /** Sum of the squared differences from the mean. */
  readonly spread: number;
}

/** The means of at most `count` sets, divided again and again where the colors differ most. */
function medianCut(colors: readonly WeightedColor[], count: number): number[] {
  if (colors.length === 0) return [];
  const order = [...colors];
  const boxes = [createBox(order, 0, order.length)];
  while (boxes.length < count) {
    const at = boxes.reduce((most, { spread }, index) => (spread > (boxes[most]?.spread ?? 0) ? index : most), 0);
    const box = boxes[at];
    if (!box || box.spread === 0) break;
    const middle = partition(order, box);
    boxes[at] = createBox(order, box.from, middle);
    boxes.push(createBox(order, middle, box.to));
  }
  return boxes.map(({ mean }) => roundColor(mean));
}

/** Moves the colors of a box that are below its mean to its front; where the others begin. */
function partition(order: WeightedColor[], { from, to, mean, widest }: ColorBox): number {
  const limit = mean[widest / 8] as number;
  let middle = from;
  for (let at = from; at < to; at++) {
    const each = order[at] as WeightedColor;
    if (((each.color >> widest) & 255) > limit) continue;
    order[at] = order[middle] as WeightedColor;
    order[middle++] = each;
  }
  return middle;
}

function createBox(order: readonly WeightedColor[], from: number, to: number): ColorBox {
  const sums = new ColorSums();
  for (let at = from; at < to; at++) sums.add(order[at] as WeightedColor);
  const [red, green, blue] = sums.spreads();
  const widest = red >= green && red >= blue ? 0 : green >= blue ? 8 : 16;
  return { from, to, mean: sums.mean() ?? [], widest, spread: to - from > 1 ? red + green + blue : 0 };
}

class ColorSums {
  #pixels = 0;
  #red = 0;
  #green = 0;
  #blue = 0;
  #redSquares = 0;
  #greenSquares = 0;
  #blueSquares = 0;

  add({ color, pixels }: WeightedColor): void {
    const [red, green, blue] = [redChannel(color), greenChannel(color), blueChannel(color)];
    this.#pixels += pixels;
    this.#red += pixels * red;
    this.#green += pixels * green;
    this.#blue += pixels * blue;
    this.#redSquares += pixels * red * red;
    this.#greenSquares += pixels * green * green;
    this.#blueSquares += pixels * blue * blue;
  }

  /** Undefined where nothing was added. */
  mean(): [number, number, number] | undefined {
    if (this.#pixels === 0) return undefined;
    return [this.#red / this.#pixels, this.#green / this.#pixels, this.#blue / this.#pixels];
  }

  spreads(): [number, number, number] {
    const [red, green, blue] = this.mean() ?? [0, 0, 0];
    return [
      RED_WEIGHT * (this.#redSquares - red * this.#red),
      GREEN_WEIGHT * (this.#greenSquares - green * this.#green),
      BLUE_WEIGHT * (this.#blueSquares - blue * this.#blue),
    ];
  }
}

function roundColor([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return Math.round(red) | (Math.round(green) << 8) | (Math.round(blue) << 16);
}

/** Moves each of `movable` to the mean of the colors that it is nearest to; `fixed` stay. */
function refinePalette(
  fixed: readonly number[],
  movable: readonly number[],
  colors: readonly WeightedColor[],
): number[] {
  const palette = [...fixed, ...movable];
  const nearest = new NearestColor(palette);
  const sums = palette.map(() => new ColorSums());
  for (const each of colors) sums[nearest.indexOf(each.color)]?.add(each);
  return palette.map((color, index) => {
    const mean = sums[index]?.mean();
    return index < fixed.length || !mean ? color : roundColor(mean);
  });
}
