// Chooses a GIF palette: exact flat colors, and a variance-based median cut for all others.
import { BLUE_WEIGHT, blueChannel, distance, GREEN_WEIGHT, greenChannel, RED_WEIGHT, redChannel } from "./color.ts";
import type { Histogram, WeightedColor } from "./histogram.ts";
import { NearestColor } from "./nearest-color.ts";

/** Returns at most `size` colors, 0xbbggrr, that represent a histogram's pixels exactly or as closely as possible. */
export function choosePalette(histogram: Histogram, size: number): number[] {
  const { colors, exact } = histogram;
  if (exact && colors.length <= size) return colors.map(({ color }) => color);
  const flatColors = chooseFlatColors(histogram);
  const flatBins = new Set(flatColors.map((color) => histogram.binFor(color)));
  const others = colors.filter(({ color }) => !flatBins.has(color));
  return refinePalette(flatColors, medianCut(others, size - flatColors.length), others);
}

/** Further flat colors count as steps of a gradient. */
const MAX_FLAT_COLORS = 160;

/** Minimum share of the pixels for a flat color, and for one similar to another flat color. */
const MIN_FLAT_SHARE = 0.0003;
const MIN_SIMILAR_FLAT_SHARE = 0.01;

/** Distance below which two colors are hard to distinguish: about two steps of each channel. */
const SIMILAR_DISTANCE = 12;

/** Minimum pixels of a large area. */
const MIN_LARGE_AREA_PIXELS = 64;

/** Returns the flat colors whose areas are large within the change. */
export function largeFlatColors({ flatColors, pixels }: Histogram): number[] {
  const minPixels = Math.max(MIN_LARGE_AREA_PIXELS, MIN_SIMILAR_FLAT_SHARE * pixels);
  return flatColors.filter((flat) => flat.pixels >= minPixels).map(({ color }) => color);
}

/** Returns the colors that the palette must have exactly: backgrounds, brand colors, text. */
function chooseFlatColors({ flatColors, pixels }: Histogram): number[] {
  const chosen: number[] = [];
  for (const flat of flatColors) {
    if (chosen.length === MAX_FLAT_COLORS || flat.pixels < MIN_FLAT_SHARE * pixels) break;
    const isLarge = flat.pixels >= MIN_SIMILAR_FLAT_SHARE * pixels;
    if (isLarge || chosen.every((other) => distance(other, flat.color) > SIMILAR_DISTANCE)) chosen.push(flat.color);
  }
  return chosen;
}

/** A box of the median cut: `from` to `to` in an ordering of all colors. */
interface ColorBox {
  readonly from: number;
  readonly to: number;
  readonly mean: readonly number[];
  /** The channel with the largest spread, as a bit shift. */
  readonly widest: number;
  /** Sum of the squared differences from the mean. */
  readonly spread: number;
}

/**
 * Splits boxes at the mean of their widest channel, the box with the largest spread first, and returns the means of at
 * most `count` boxes.
 */
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

/** Moves the colors below the mean to the front of the box; returns where the others start. */
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

  /** Undefined when nothing was added. */
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

/** One k-means step: moves each of `movable` to the mean of the colors nearest to it; `fixed` stay. */
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
