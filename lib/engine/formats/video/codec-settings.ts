// Codec settings for mp4 and webm: codec string, level, bitrate, quantizer.
import type { CodecSettings } from "../../injected/video-encoder.ts";
import type { VideoSettings } from "./frame-encoder.ts";

/** The formats that Chromium encodes: H.264 in MP4, VP9 in WebM. */
export type CodecFormat = "mp4" | "webm";

/** Seconds between key frames, where a player can start. */
const KEY_FRAME_SECONDS = 2;

export function codecSettings(format: CodecFormat, settings: VideoSettings): CodecSettings {
  const keyFrameInterval = KEY_FRAME_SECONDS * settings.fps;
  if (format === "mp4") {
    return {
      codec: `avc1.6400${lowestLevel(h264Levels, settings)}`,
      keyFrameInterval,
      bitrate: targetBitrate(settings),
    };
  }
  // 8 bits, 4:2:0, and BT.709 in limited range
  const codec = `vp09.00.${lowestLevel(vp9Levels, settings)}.08.01.01.01.01.00`;
  return { codec, keyFrameInterval, quantizer: vp9Quantizer(settings.quality) };
}

/** Bits per second for 1280 × 720 at 30 fps and the default quality of 80. */
const USUAL_BITRATE = 4_000_000;

/**
 * Quality + 20 doubles the bitrate. It grows a little slower than the number of pixels, because larger images have more
 * uniform areas, and much slower than the frame rate, because less changes between frames. It is a target: simple pages
 * take less, noise takes more, as the encoder keeps text legible (quantizers 26 to 35 for screen content).
 */
function targetBitrate({ width, height, fps, quality }: VideoSettings): number {
  const size = ((width * height) / (1280 * 720)) ** 0.85;
  const bitrate = USUAL_BITRATE * size * (fps / 30) ** 0.5 * 2 ** ((quality - 80) / 20);
  return Math.max(100_000, Math.round(bitrate));
}

/**
 * 255 at quality 0, 100 at the default of 80, 40 at 100: each step of 65 halves the size. From 110 on, uniform areas
 * visibly change colour.
 */
function vp9Quantizer(quality: number): number {
  return Math.round(quality <= 80 ? 255 - (quality * 155) / 80 : 100 - (quality - 80) * 3);
}

/** Decoder limits of a level. */
interface Level {
  readonly name: string;
  /** Pixels per frame, with sides rounded up to multiples of 16. */
  readonly pixels: number;
  readonly pixelsPerSecond: number;
}

/**
 * ITU-T H.264, table A-1, which counts macroblocks. OpenH264 supports up to 36,864 of them, 9.4 million pixels, enough
 * for `MAX_VIDEO_SIZE` with rounded sides. Levels below 3 are pointless: every decoder supports level 3.
 */
const h264Levels: readonly Level[] = [
  { name: "1e", pixels: 1620 * 256, pixelsPerSecond: 40_500 * 256 },
  { name: "1f", pixels: 3600 * 256, pixelsPerSecond: 108_000 * 256 },
  { name: "20", pixels: 5120 * 256, pixelsPerSecond: 216_000 * 256 },
  { name: "28", pixels: 8192 * 256, pixelsPerSecond: 245_760 * 256 },
  { name: "2a", pixels: 8704 * 256, pixelsPerSecond: 522_240 * 256 },
  { name: "32", pixels: 22_080 * 256, pixelsPerSecond: 589_824 * 256 },
  { name: "33", pixels: 36_864 * 256, pixelsPerSecond: 983_040 * 256 },
  { name: "34", pixels: 36_864 * 256, pixelsPerSecond: 2_073_600 * 256 },
];

/** VP9 levels, https://www.webmproject.org/vp9/levels/. */
const vp9Levels: readonly Level[] = [
  { name: "30", pixels: 552_960, pixelsPerSecond: 20_736_000 },
  { name: "31", pixels: 983_040, pixelsPerSecond: 36_864_000 },
  { name: "40", pixels: 2_228_224, pixelsPerSecond: 83_558_400 },
  { name: "41", pixels: 2_228_224, pixelsPerSecond: 160_432_128 },
  { name: "50", pixels: 8_912_896, pixelsPerSecond: 311_951_360 },
  { name: "51", pixels: 8_912_896, pixelsPerSecond: 588_251_136 },
  { name: "52", pixels: 8_912_896, pixelsPerSecond: 1_176_502_272 },
];

/** The lowest level for frames of this size and rate; both tables also limit a side to √(8 · pixels). */
function lowestLevel(levels: readonly Level[], { width, height, fps }: VideoSettings): string {
  const [columns, rows] = [Math.ceil(width / 16) * 16, Math.ceil(height / 16) * 16];
  const pixels = columns * rows;
  const level = levels.find(
    (candidate) =>
      pixels <= candidate.pixels &&
      pixels * fps <= candidate.pixelsPerSecond &&
      Math.max(columns, rows) <= Math.sqrt(8 * candidate.pixels),
  );
  if (!level) throw new Error(`No decoder is known for ${width} × ${height} pixels at ${fps} frames per second.`);
  return level.name;
}
