// GIF, frame by frame: a palette is kept while it serves, and only what has changed is written.
import { type AnimationFormat, type Change, createAnimationEncoder, type EncodedChange } from "../animation-encoder.ts";
import type { FrameEncoder, VideoSettings } from "../frame-encoder.ts";
import { Canvas } from "./canvas.ts";
import { Ditherer } from "./dithering.ts";
import { colorDepth, FILE_END, fileHeader, gifFrame } from "./gif-file.ts";
import { createHistogram, type Histogram, type WeightedColor } from "./histogram.ts";
import { compress } from "./lzw.ts";
import { choosePalette, largeFlatColors } from "./palette.ts";

/** Colors of a palette: one index of 256 is for pixels that stay as they are. */
const MAX_COLORS = 255;

/** Pixels of which it is found out whether a palette can be kept. */
const SAMPLED_PIXELS = 1 << 17;

/** Hundredths of a second, in which GIF counts. */
const TICKS = 100;

/**
 * Makes a GIF that repeats for ever. The frame rate is at most 50: viewers take a delay of less than two hundredths of
 * a second for ten. Quality is not for GIF.
 */
export function createGifEncoder(settings: VideoSettings): FrameEncoder {
  const { width, height, fps } = settings;
  const canvas = new Canvas(width, height);
  let common: Palette | undefined;
  let latest: Palette | undefined;

  function paletteFor(change: Change): Palette {
    const sample = createHistogram(change, SAMPLED_PIXELS);
    const kept = [latest, common].find((each) => each && isPaletteGoodEnough(each, sample));
    if (kept) return kept;
    const histogram = createHistogram(change);
    const mixer = new Ditherer({ palette: choosePalette(histogram, MAX_COLORS), coarse: !histogram.exact });
    return { mixer, error: measureError(mixer, histogram.colors) };
  }

  const format: AnimationFormat = {
    encode(change: Change): EncodedChange {
      latest = paletteFor(change);
      common ??= latest;
      const { mixer } = latest;
      const transparent = mixer.palette.length;
      const depth = colorDepth(mixer.palette.length + 1);
      const { indices, transparentAlternative: sparing } = canvas.draw(change, mixer, transparent);
      const data = compress({ indices, alternatives: sparing, depth });
      const palette = latest === common ? undefined : { colors: mixer.palette, depth };
      const { box } = change;
      return ({ from, to }) => gifFrame({ box, transparent, palette, data }, ticksAt(to) - ticksAt(from));
    },

    file(parts) {
      const colors = common?.mixer.palette ?? [];
      return Buffer.concat([fileHeader(settings, colors, colorDepth(colors.length + 1)), ...parts, FILE_END]);
    },
  };

  function ticksAt(frame: number): number {
    return Math.round((frame * TICKS) / fps);
  }

  return createAnimationEncoder(settings, format);
}

interface Palette {
  readonly mixer: Ditherer;
  /** Of the pixels that it was chosen for. */
  readonly error: PaletteError;
}

/** How far colors are from what a palette shows for them. */
interface PaletteError {
  /** Mean of the distances. */
  readonly mean: number;
  /** Share of the pixels that are shown in another color, as everybody sees. */
  readonly farOff: number;
}

/** Distance that everybody sees, even of a dot: 32 steps of each channel. */
const FAR_OFF = 3 * 32 ** 2;

/** How much worse a palette may serve than it served those that it was chosen for: by a factor, and beyond it. */
const WORSE = 1.5;
const WORSE_MEAN = 6;
const WORSE_SHARE = 0.00001;

/** Whether a palette shows colors nearly as well as one of their own would. */
function isPaletteGoodEnough({ mixer, error }: Palette, histogram: Histogram): boolean {
  if (!largeFlatColors(histogram).every((color) => mixer.has(color))) return false;
  const { mean, farOff } = measureError(mixer, histogram.colors);
  return mean <= WORSE * error.mean + WORSE_MEAN && farOff <= WORSE * error.farOff + WORSE_SHARE;
}

function measureError(mixer: Ditherer, colors: readonly WeightedColor[]): PaletteError {
  let [sum, far, all] = [0, 0, 0];
  for (const { color, pixels } of colors) {
    const error = mixer.errorFor(color);
    all += pixels;
    sum += pixels * error;
    if (error > FAR_OFF) far += pixels;
  }
  return { mean: sum / all, farOff: far / all };
}
