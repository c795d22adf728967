// Encodes images as an animation, and decodes the frames that a viewer sees.
import sharp from "sharp";
import type { FrameEncoder } from "../../lib/engine/formats/video/frame-encoder.ts";
import { createImage, RED, WHITE } from "./images.ts";

export interface ShownFrame {
  /** Milliseconds from the beginning at which the next frame replaces it. */
  readonly until: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Buffer;
}

/** The file of these pictures (PNG; undefined repeats the one before). */
export async function encodeAll(encoder: FrameEncoder, pictures: readonly (Buffer | undefined)[]): Promise<Buffer> {
  await using taking = encoder;
  for (const picture of pictures) await taking.add(picture?.toString("base64"));
  return await taking.finish();
}

/** The frames of a GIF or an animated WebP as they are composed on the screen. */
export async function decodeFrames(animation: Buffer): Promise<ShownFrame[]> {
  const { data, info } = await sharp(animation, { pages: -1 })
    .flatten({ background: "fuchsia" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { delay = [0] } = await sharp(animation, { pages: -1 }).metadata();
  const size = (info.width * info.height * info.channels) / delay.length;
  let until = 0;
  return delay.map((milliseconds, index) => {
    until += milliseconds;
    return { until, pixels: data.subarray(index * size, (index + 1) * size) };
  });
}

/** Red, green and blue of each pixel of a picture. */
export function decodePixels(picture: Buffer): Promise<Buffer> {
  return sharp(picture).removeAlpha().raw().toBuffer();
}

/** How like two pictures are, in decibels: from 40 they look alike. */
export function peakSignalToNoise(one: Buffer, other: Buffer): number {
  const squares = one.reduce((sum, value, at) => sum + (value - other.readUInt8(at)) ** 2, 0);
  return 10 * Math.log10((255 * 255 * one.length) / squares);
}

const spots: readonly ((x: number, y: number) => boolean)[] = [
  () => false,
  (x, y) => x === 0 && y === 0,
  (x, y) => x === 63 && y === 47,
  (_, y) => y === 47,
  (x) => x === 63,
  (x, y) => x === 31 && y > 5 && y < 9,
  (x, y) => (x === 0 && y === 47) || (x === 63 && y === 0),
];

/** Pictures of 64 × 48 pixels in which single pixels, rows and columns change, corners and edges among them. */
export function changingSpots(): Promise<Buffer[]> {
  return Promise.all(spots.map((isRed) => createImage(64, 48, (x, y) => (isRed(x, y) ? RED : WHITE))));
}
