// GIF encoder: keeps a palette while it fits the frames, and writes only what has changed.
import {
  type AnimationFormat,
  createAnimationEncoder,
  type EncodedChange,
  type FrameChange,
} from "../animation-encoder.ts";
import type { FrameEncoder, VideoSettings } from "../frame-encoder.ts";
import { Canvas } from "./canvas.ts";
import { Ditherer } from "./dithering.ts";
import { colorDepth, FILE_END, fileHeader, gifFrame } from "./gif-file.ts";
import { createHistogram, type Histogram, type WeightedColor } from "./histogram.ts";
import { compress } from "./lzw.ts";
import { choosePalette, largeFlatColors } from "./palette.ts";

/** Colors of a palette; one of 256 indices is for transparent, unchanged pixels. */
const MAX_COLORS = 255;

/** Pixels sampled to decide whether a palette can be kept. */
const SAMPLED_PIXELS = 1 << 17;

/** GIF counts time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Creates an encoder of a GIF that loops forever. The frame rate is at most 50: viewers treat a delay below 2/100 s as
 * 10/100 s. The quality setting does not apply.
 */
export function createGifEncoder(settings: VideoSettings): FrameEncoder {
  const { width, height, fps } = settings;
  const canvas = new Canvas(width, height);
  let common: Palette | undefined;
  let latest: Palette | undefined;

  function paletteFor(change: FrameChange): Palette {
    const sample = createHistogram(change, SAMPLED_PIXELS);
    const reusable = [latest, common].find((each) => each && isPaletteGoodEnough(each, sample));
    if (reusable) return reusable;
    const histogram = createHistogram(change);
    const ditherer = new Ditherer({ palette: choosePalette(histogram, MAX_COLORS), coarse: !histogram.exact });
    return { ditherer, error: measureError(ditherer, histogram.colors) };
  }

  const format: AnimationFormat = {
    encode(change: FrameChange): EncodedChange {
      latest = paletteFor(change);
      common ??= latest;
      const { ditherer } = latest;
      const transparent = ditherer.palette.length;
      const depth = colorDepth(ditherer.palette.length + 1);
      const { indices, transparentAlternative } = canvas.draw(change, ditherer, transparent);
      const data = compress({ indices, alternatives: transparentAlternative, depth });
      const palette = latest === common ? undefined : { colors: ditherer.palette, depth };
      const { box } = change;
      return ({ from, to }) => gifFrame({ box, transparent, palette, data }, ticksAt(to) - ticksAt(from));
    },

    file(parts) {
      const colors = common?.ditherer.palette ?? [];
      return Buffer.concat([fileHeader(settings, colors, colorDepth(colors.length + 1)), ...parts, FILE_END]);
    },
  };

  function ticksAt(frame: number): number {
    return Math.round((frame * TICKS_PER_SECOND) / fps);
  }

  return createAnimationEncoder(settings, format);
}

interface Palette {
  readonly ditherer: Ditherer;
  /** Error for the pixels that it was chosen for. */
  readonly error: PaletteError;
}

/** Error of a palette's representation of colors. */
interface PaletteError {
  /** Mean distance. */
  readonly mean: number;
  /** Share of pixels with a clearly visible error. */
  readonly clearlyVisibleShare: number;
}

/** Clearly visible distance, even of a single pixel: 32 steps of each channel. */
const CLEARLY_VISIBLE_DISTANCE = 3 * 32 ** 2;

/** How much larger the error may be than for the pixels it was chosen for: by a factor, plus a constant. */
const MAX_ERROR_FACTOR = 1.5;
const MAX_MEAN_INCREASE = 6;
const MAX_SHARE_INCREASE = 0.00001;

/** Whether a palette represents colors nearly as well as one chosen for them would. */
function isPaletteGoodEnough({ ditherer, error }: Palette, histogram: Histogram): boolean {
  if (!largeFlatColors(histogram).every((color) => ditherer.has(color))) return false;
  const { mean, clearlyVisibleShare } = measureError(ditherer, histogram.colors);
  return (
    mean <= MAX_ERROR_FACTOR * error.mean + MAX_MEAN_INCREASE &&
    clearlyVisibleShare <= MAX_ERROR_FACTOR * error.clearlyVisibleShare + MAX_SHARE_INCREASE
  );
}

function measureError(ditherer: Ditherer, colors: readonly WeightedColor[]): PaletteError {
  let [sum, far, all] = [0, 0, 0];
  for (const { color, pixels } of colors) {
    const error = ditherer.errorFor(color);
    all += pixels;
    sum += pixels * error;
    if (error > CLEARLY_VISIBLE_DISTANCE) far += pixels;
  }
  return { mean: sum / all, clearlyVisibleShare: far / all };
}
