// Chooses the colours of a palette: those of flat areas are kept exactly, the others divided by their variance.
import { BLUE_WEIGHT, blueChannel, distance, GREEN_WEIGHT, greenChannel, RED_WEIGHT, redChannel } from "./colour.ts";
import type { Histogram, WeightedColor } from "./histogram.ts";
import { NearestColor } from "./nearest-colour.ts";

/** At most `size` colours, 0xbbggrr, that show a histogram's pixels as they are, or as nearly as can be. */
export function choosePalette(histogram: Histogram, size: number): number[] {
  const { colours, exact } = histogram;
  if (exact && colours.length <= size) return colours.map(({ colour }) => colour);
  const flats = flatColors(histogram);
  const settled = new Set(flats.map((colour) => histogram.cellOf(colour)));
  const others = colours.filter(({ colour }) => !settled.has(colour));
  return refined(flats, divided(others, size - flats.length), others);
}

/** Flat colours beyond these are taken for the steps of a gradient. */
const MOST_FLATS = 160;

/** Shares of the pixels from which a flat colour is kept, and from which it is kept beside one that looks like it. */
const SMALL_SHARE = 0.0003;
const LARGE_SHARE = 0.01;

/** Distance below which two colours are hard to tell apart: about two steps of each channel. */
const ALIKE = 12;

/** Pixels below which nothing is large. */
const LARGE_AREA = 64;

/** Those of areas that are large among what has changed. */
export function largeFlatColors({ flats, pixels }: Histogram): number[] {
  const least = Math.max(LARGE_AREA, LARGE_SHARE * pixels);
  return flats.filter((flat) => flat.pixels >= least).map(({ colour }) => colour);
}

/** The colours that a palette needs to have exactly: backgrounds, brand colours, text. */
export function flatColors({ flats, pixels }: Histogram): number[] {
  const chosen: number[] = [];
  for (const flat of flats) {
    if (chosen.length === MOST_FLATS || flat.pixels < SMALL_SHARE * pixels) break;
    const isLarge = flat.pixels >= LARGE_SHARE * pixels;
    if (isLarge || chosen.every((other) => distance(other, flat.colour) > ALIKE)) chosen.push(flat.colour);
  }
  return chosen;
}

/** A set of colours that may be divided: `from` to `to` in an order of all. */
interface ColourBox {
  readonly from: number;
  readonly to: number;
  readonly mean: readonly number[];
  /** The channel, as a shift, in which the colours differ most. */
  readonly widest: number;
  /** Sum of the squared differences from the mean. */
  readonly spread: number;
}

/** The means of at most `count` sets, divided again and again where the colours differ most. */
function divided(colours: readonly WeightedColor[], count: number): number[] {
  if (colours.length === 0) return [];
  const order = [...colours];
  const boxes = [boxOf(order, 0, order.length)];
  while (boxes.length < count) {
    const at = boxes.reduce((most, { spread }, index) => (spread > (boxes[most]?.spread ?? 0) ? index : most), 0);
    const box = boxes[at];
    if (!box || box.spread === 0) break;
    const middle = partition(order, box);
    boxes[at] = boxOf(order, box.from, middle);
    boxes.push(boxOf(order, middle, box.to));
  }
  return boxes.map(({ mean }) => colourOf(mean));
}

/** Moves the colours of a box that are below its mean to its front; where the others begin. */
function partition(order: WeightedColor[], { from, to, mean, widest }: ColourBox): number {
  const limit = mean[widest / 8] as number;
  let middle = from;
  for (let at = from; at < to; at++) {
    const each = order[at] as WeightedColor;
    if (((each.colour >> widest) & 255) > limit) continue;
    order[at] = order[middle] as WeightedColor;
    order[middle++] = each;
  }
  return middle;
}

function boxOf(order: readonly WeightedColor[], from: number, to: number): ColourBox {
  const sums = new ColourSums();
  for (let at = from; at < to; at++) sums.add(order[at] as WeightedColor);
  const [red, green, blue] = sums.spreads();
  const widest = red >= green && red >= blue ? 0 : green >= blue ? 8 : 16;
  return { from, to, mean: sums.mean() ?? [], widest, spread: to - from > 1 ? red + green + blue : 0 };
}

class ColourSums {
  #pixels = 0;
  #red = 0;
  #green = 0;
  #blue = 0;
  #redSquares = 0;
  #greenSquares = 0;
  #blueSquares = 0;

  add({ colour, pixels }: WeightedColor): void {
    const [red, green, blue] = [redChannel(colour), greenChannel(colour), blueChannel(colour)];
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

function colourOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return Math.round(red) | (Math.round(green) << 8) | (Math.round(blue) << 16);
}

/** Moves each of `movable` to the mean of the colours that it is nearest to; `fixed` stay. */
function refined(fixed: readonly number[], movable: readonly number[], colours: readonly WeightedColor[]): number[] {
  const palette = [...fixed, ...movable];
  const nearest = new NearestColor(palette);
  const sums = palette.map(() => new ColourSums());
  for (const each of colours) sums[nearest.indexOf(each.colour)]?.add(each);
  return palette.map((colour, index) => {
    const mean = sums[index]?.mean();
    return index < fixed.length || !mean ? colour : colourOf(mean);
  });
}
