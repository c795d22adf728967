// GIF encoder: colors, dithering, timing and size of the files, as a decoder sees them.
import sharp from "sharp";
import { expect, test } from "vitest";
import { createGifEncoder } from "../../../../../lib/engine/formats/video/gif/gif-encoder.ts";
import { seededRandom } from "../../../../fixtures/seeded-random.ts";
import {
  changingSpots,
  decodeFrames,
  decodePixels,
  encodeAll,
  peakSignalToNoise,
} from "../../../../support/animation.ts";
import { BLUE, type Colour, createImage, RED, WHITE } from "../../../../support/images.ts";
import { sampled, slowTest } from "../../../../support/slow-run.ts";

interface Sizes {
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
}

function gif(pictures: readonly (Buffer | undefined)[], { width = 64, height = 48, fps = 10 }: Sizes = {}) {
  return encodeAll(createGifEncoder({ width, height, fps, quality: 80 }), pictures);
}

/** A blue bar of 4 columns on white, which begins at `column`. */
function bar(column: number, width = 64, height = 48): Promise<Buffer> {
  return createImage(width, height, (x) => (x >= column && x < column + 4 ? BLUE : WHITE));
}

/** As a photo has them: shades that go over into each other, with grain, always the same for a seed. */
function photo(seed: number): (x: number, y: number) => Colour {
  const random = seededRandom(seed);
  return (x, y) => [x * 0.8 + random() * 20, 60 + y + random() * 20, 200 - x / 2 + random() * 20].map(Math.floor);
}

/** The pixels of a part of a frame that is `width` wide. */
function partOf(pixels: Buffer, width: number, isPart: (x: number, y: number) => boolean): Buffer {
  const offsets = [...Array(pixels.length / 3).keys()].filter((at) => isPart(at % width, Math.floor(at / width)));
  return Buffer.concat(offsets.map((at) => pixels.subarray(at * 3, at * 3 + 3)));
}

slowTest("gif: flat colors are exact and undithered, however many other colors there are", async () => {
  // 24 areas of 16 × 16 pixels, some of them a step from each other, on wild noise.
  const ground = (x: number, y: number) => {
    const area = Math.floor(x / 32) + Math.floor(y / 32) * 6;
    return x % 32 < 16 && y % 32 < 16 ? [255 - area, 255 - (area % 5), 40 + area * 8] : undefined;
  };
  const random = seededRandom(1);
  const noise = () => [random() * 255, random() * 255, random() * 255].map(Math.floor);
  const image = await createImage(192, 128, (x, y) => ground(x, y) ?? noise());
  const [frame] = await decodeFrames(await gif([image], { width: 192, height: 128 }));
  const isGround = (x: number, y: number) => ground(x, y) !== undefined;
  const pixels = await decodePixels(image);
  expect(partOf(frame?.pixels ?? Buffer.of(), 192, isGround).equals(partOf(pixels, 192, isGround))).toBe(true);
});

test("gif: 255 colors are all exact", async () => {
  const image = await createImage(64, 48, (x, y) => [(x + y * 64) % 255, ((x + y * 64) % 255) >> 2, 90]);
  const [frame] = await decodeFrames(await gif([image]));
  expect(frame?.pixels.equals(await decodePixels(image))).toBe(true);
});

const noise = seededRandom(3);
sampled(test, 2).each<[string, (x: number, y: number) => Colour, decibels: number]>([
  ["a gradient", (x, y) => [x, y * 2, 128], 33],
  ["dark shades", (x, y) => [10 + (x >> 4), 12 + (y >> 3), 24 + ((x + y) >> 3)], 52],
  ["noise", () => [noise() * 255, noise() * 255, noise() * 255].map(Math.floor), 23],
  ["a photo", photo(2), 33],
])("gif: more colors than a palette has are approximated closely: %s", async (_, colourAt, decibels) => {
  const image = await createImage(256, 128, colourAt);
  const [frame] = await decodeFrames(await gif([image], { width: 256, height: 128 }));
  expect(peakSignalToNoise(await decodePixels(image), frame?.pixels ?? Buffer.of())).toBeGreaterThan(decibels);
});

test("gif: a gradient has no bands: from afar it is the same everywhere", async () => {
  const image = await createImage(256, 128, (x, y) => [x, y * 2, 255 - x]);
  const [frame] = await decodeFrames(await gif([image], { width: 256, height: 128 }));
  const fromAfar = (pixels: Buffer) =>
    sharp(pixels, { raw: { width: 256, height: 128, channels: 3 } })
      .blur(2)
      .raw()
      .toBuffer();
  const [wanted, shown] = [await fromAfar(await decodePixels(image)), await fromAfar(frame?.pixels ?? Buffer.of())];
  expect(peakSignalToNoise(wanted, shown)).toBeGreaterThan(42);
});

sampled(test, 4).each([7, 10, 25, 30])(
  "gif: at %i frames per second each frame is shown until exactly its end",
  async (fps) => {
    const columns = Array.from({ length: 15 }, (_, index) => index * 4 + (index % 3));
    const file = await gif(await Promise.all(columns.map((column) => bar(column))), { fps });
    const frames = await decodeFrames(file);
    expect(frames.map(({ until }) => until)).toEqual(columns.map((_, at) => Math.round(((at + 1) * 100) / fps) * 10));
    for (const [at, column] of columns.entries()) {
      expect(frames[at]?.pixels.equals(await decodePixels(await bar(column)))).toBe(true);
    }
  },
);

test("gif: unchanged frames take time, but no bytes", async () => {
  const [first, last] = [await bar(8), await bar(30)];
  const short = await gif([first, last]);
  const alike = await sharp(first).png({ compressionLevel: 1 }).toBuffer();
  const long = await gif([first, ...Array(20).fill(undefined), first, alike, last, undefined]);
  expect(long.length).toBe(short.length);
  expect((await decodeFrames(long)).map(({ until }) => until)).toEqual([2300, 2500]);
});

test("gif: loops forever", async () => {
  const { loop } = await sharp(await gif([await bar(1), await bar(2)]), { pages: -1 }).metadata();
  expect(loop).toBe(0);
});

test("gif: unchanged pixels stay identical at no cost, while others change", async () => {
  const scene = (step: number) => {
    const grain = photo(4);
    return createImage(160, 96, (x, y) => (x < 120 ? grain(x, y) : y >= step && y < step + 8 ? [255, step, 0] : WHITE));
  };
  const pictures = await Promise.all([0, 10, 20, 30, 40].map(scene));
  const sizes = { width: 160, height: 96 };
  const file = await gif(pictures, sizes);
  const frames = await decodeFrames(file);
  const still = frames.map(({ pixels }) => partOf(pixels, 160, (x) => x < 120));
  expect(still.every((part) => part.equals(still[0] as Buffer))).toBe(true);
  expect(file.length - (await gif(pictures.slice(0, 1), sizes)).length).toBeLessThan(5_000);
});

test("gif: a color that appears later is exact, even of a single pixel while everything moves", async () => {
  const greys = (shift: number) => (x: number, y: number) => Array(3).fill(((x * 7 + y * 13) % 120) + 100 + shift);
  const inDot = (x: number, y: number) => x >= 200 && x < 203 && y >= 100 && y < 103;
  const before = await createImage(640, 400, greys(0));
  const after = await createImage(640, 400, (x, y) => (inDot(x, y) ? RED : greys(1)(x, y)));
  const [, frame] = await decodeFrames(await gif([before, after], { width: 640, height: 400 }));
  const dot = partOf(frame?.pixels ?? Buffer.of(), 640, inDot);
  expect(dot.equals(Buffer.concat(Array(9).fill(Buffer.from(RED))))).toBe(true);
});

test("gif: changed pixels, rows and columns are found where they are", async () => {
  const pictures = await changingSpots();
  const frames = await decodeFrames(await gif(pictures));
  expect(frames).toHaveLength(pictures.length);
  for (const [at, { pixels }] of frames.entries()) {
    expect(pixels.equals(await decodePixels(pictures[at] as Buffer))).toBe(true);
  }
});

test("gif: the smallest size is encoded", async () => {
  const pictures = [await bar(0, 16, 16), await bar(12, 16, 16)];
  const frames = await decodeFrames(await gif(pictures, { width: 16, height: 16 }));
  expect(frames[1]?.pixels.equals(await decodePixels(pictures[1] as Buffer))).toBe(true);
});

test("gif: an invalid image or one of another size fails the encoding", async () => {
  const broken = Buffer.from("not a picture");
  await expect(gif([await bar(1), broken])).rejects.toThrow(/unsupported image format/);
  await expect(gif([await bar(1), broken, await bar(2), await bar(3)])).rejects.toThrow(/unsupported image format/);
  await expect(gif([await bar(1), await bar(1, 32, 32)])).rejects.toThrow(/does not measure 64 × 48/);
  await expect(gif([undefined])).rejects.toThrow(/first frame/);
});

test("gif: adding a frame after disposal fails", async () => {
  const encoder = createGifEncoder({ width: 64, height: 48, fps: 10, quality: 80 });
  await encoder.add((await bar(1)).toString("base64"));
  await encoder[Symbol.asyncDispose]();
  await expect(encoder.add((await bar(2)).toString("base64"))).rejects.toThrow(/disposed of/);
});
