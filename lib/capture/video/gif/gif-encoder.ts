// GIF, frame by frame: a palette is kept while it serves, and only what has changed is written.
import { type AnimationFormat, type Change, createAnimationEncoder, type EncodedChange } from "../animation-encoder.ts";
import type { FrameEncoder, VideoSettings } from "../frame-encoder.ts";
import { Canvas } from "./canvas.ts";
import { depthOf, FILE_END, fileHeader, gifFrame } from "./gif-file.ts";
import { type Histogram, histogramOf, type Weighted } from "./histogram.ts";
import { compress } from "./lzw.ts";
import { Mixer } from "./mixing.ts";
import { choosePalette, largeFlats } from "./palette.ts";

/** Colours of a palette: one index of 256 is for pixels that stay as they are. */
const MOST_COLOURS = 255;

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

  function paletteFor(histogram: Histogram): Palette {
    const kept = [latest, common].find((each) => each && serves(each, histogram));
    if (kept) return kept;
    const mixer = new Mixer(choosePalette(histogram, MOST_COLOURS), !histogram.exact);
    return { mixer, error: errorOf(mixer, histogram) };
  }

  const format: AnimationFormat = {
    encode(change: Change): EncodedChange {
      latest = paletteFor(histogramOf(change));
      common ??= latest;
      const { mixer } = latest;
      const transparent = mixer.palette.length;
      const depth = depthOf(mixer.palette.length + 1);
      const { indices, sparing } = canvas.draw(change, mixer, transparent);
      const data = compress({ indices, alternatives: sparing, depth });
      const palette = latest === common ? undefined : { colours: mixer.palette, depth };
      const { box } = change;
      return ({ from, to }) => gifFrame({ box, transparent, palette, data }, ticksAt(to) - ticksAt(from));
    },

    file(parts) {
      const colours = common?.mixer.palette ?? [];
      return Buffer.concat([fileHeader(settings, colours, depthOf(colours.length + 1)), ...parts, FILE_END]);
    },
  };

  function ticksAt(frame: number): number {
    return Math.round((frame * TICKS) / fps);
  }

  return createAnimationEncoder(settings, format);
}

interface Palette {
  readonly mixer: Mixer;
  /** Of the pixels that it was chosen for. */
  readonly error: number;
}

/** Whether a palette shows colours nearly as well as one of their own would. */
function serves({ mixer, error }: Palette, histogram: Histogram): boolean {
  if (!largeFlats(histogram).every((colour) => mixer.has(colour))) return false;
  return errorOf(mixer, histogram) <= 1.5 * error + 3;
}

/** Colours that are tried to find out how well a palette serves. */
const SAMPLES = 2000;

/** Mean distance of colours from what a palette shows for them. */
function errorOf(mixer: Mixer, { colours }: Histogram): number {
  const step = Math.ceil(colours.length / SAMPLES);
  let sum = 0;
  let pixels = 0;
  for (let at = 0; at < colours.length; at += step) {
    const each = colours[at] as Weighted;
    sum += each.pixels * mixer.errorOf(each.colour);
    pixels += each.pixels;
  }
  return sum / pixels;
}
