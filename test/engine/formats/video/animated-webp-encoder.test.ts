// Animated WebP encoder: pixels, timing and size of the files, as a decoder sees them.
import sharp from "sharp";
import { expect, test } from "vitest";
import { createAnimatedWebpEncoder } from "../../../../lib/engine/formats/video/animated-webp-encoder.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { changingSpots, decodeFrames, decodePixels, encodeAll, peakSignalToNoise } from "../../../support/animation.ts";
import { BLUE, type Colour, createImage, RED, WHITE } from "../../../support/images.ts";
import { sampled } from "../../../support/slow-run.ts";

interface Settings {
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly quality?: number;
}

function webp(pictures: readonly (Buffer | undefined)[], settings: Settings = {}) {
  return encodeAll(createAnimatedWebpEncoder({ width: 64, height: 48, fps: 10, quality: 80, ...settings }), pictures);
}

/** A blue bar of 5 columns on white, which begins at `column`. */
function bar(column: number, width = 64, height = 48): Promise<Buffer> {
  return createImage(width, height, (x) => (x >= column && x < column + 5 ? BLUE : WHITE));
}

/** Shades that go over into each other, with grain. */
function photo(x: number, y: number, random: () => number): Colour {
  return [x + random() * 20, 60 + y + random() * 20, 200 - x + random() * 20].map(Math.floor);
}

sampled(test, 4).each([7, 10, 25, 30])(
  "animated webp: at %i frames per second each frame is shown until exactly its end",
  async (fps) => {
    const columns = Array.from({ length: 15 }, (_, index) => index * 4 + (index % 3));
    const frames = await decodeFrames(await webp(await Promise.all(columns.map((column) => bar(column))), { fps }));
    expect(frames.map(({ until }) => until)).toEqual(columns.map((_, at) => Math.round(((at + 1) * 1000) / fps)));
    for (const [at, column] of columns.entries()) {
      expect(frames[at]?.pixels.equals(await decodePixels(await bar(column)))).toBe(true);
    }
  },
);

test("animated webp: line art is exact: text, areas, and single changed pixels", async () => {
  const pictures = await changingSpots();
  const frames = await decodeFrames(await webp(pictures, { quality: 0 }));
  expect(frames).toHaveLength(pictures.length);
  for (const [at, { pixels }] of frames.entries()) {
    expect(pixels.equals(await decodePixels(pictures[at] as Buffer))).toBe(true);
  }
});

test("animated webp: a photo has the fidelity and size of its quality", async () => {
  const random = seededRandom(1);
  const image = await createImage(128, 96, (x, y) => photo(x, y, random));
  const encoded = async (quality: number) => {
    const file = await webp([image], { width: 128, height: 96, quality });
    const [frame] = await decodeFrames(file);
    return { bytes: file.length, likeness: peakSignalToNoise(await decodePixels(image), frame?.pixels ?? Buffer.of()) };
  };
  const [poor, usual, best] = [await encoded(0), await encoded(80), await encoded(100)];
  expect(usual.likeness).toBeGreaterThan(30);
  expect(poor.likeness).toBeLessThan(usual.likeness);
  expect(best.likeness).toBeGreaterThan(usual.likeness);
  expect(poor.bytes).toBeLessThan(usual.bytes / 3);
  expect(usual.bytes).toBeLessThan(best.bytes);
});

test("animated webp: unchanged pixels stay identical at no cost, while others change", async () => {
  const scene = (step: number) => {
    const random = seededRandom(1);
    return createImage(160, 96, (x, y) => {
      const grain = photo(x, y, random);
      return x < 120 ? grain : y >= step && y < step + 8 ? RED : WHITE;
    });
  };
  const pictures = await Promise.all([0, 9, 21, 30, 43].map(scene));
  const sizes = { width: 160, height: 96 };
  const file = await webp(pictures, sizes);
  const frames = await decodeFrames(file);
  const still = frames.map(({ pixels }) =>
    Buffer.concat(Array.from({ length: 96 }, (_, y) => pixels.subarray(y * 480, y * 480 + 360))),
  );
  expect(still.every((part) => part.equals(still[0] as Buffer))).toBe(true);
  expect(file.length - (await webp(pictures.slice(0, 1), sizes)).length).toBeLessThan(1_000);
});

test("animated webp: unchanged frames take time, but no bytes", async () => {
  const [first, last] = [await bar(8), await bar(30)];
  const short = await webp([first, last]);
  const alike = await sharp(first).png({ compressionLevel: 1 }).toBuffer();
  const long = await webp([first, ...Array(20).fill(undefined), first, alike, last, undefined]);
  expect(long.length).toBe(short.length);
  expect((await decodeFrames(long)).map(({ until }) => until)).toEqual([2300, 2500]);
});

test("animated webp: loops forever, at the requested size", async () => {
  const file = await webp([await bar(0, 16, 16), await bar(11, 16, 16)], { width: 16, height: 16 });
  const { format, width, pageHeight, pages, loop } = await sharp(file, { pages: -1 }).metadata();
  expect({ format, width, pageHeight, pages, loop }).toEqual({
    format: "webp",
    width: 16,
    pageHeight: 16,
    pages: 2,
    loop: 0,
  });
});

test("animated webp: an invalid image or one of another size fails the encoding", async () => {
  const broken = Buffer.from("not a picture");
  await expect(webp([await bar(1), broken])).rejects.toThrow(/unsupported image format/);
  await expect(webp([await bar(1), await bar(1, 32, 32)])).rejects.toThrow(/does not measure 64 × 48/);
  await expect(webp([undefined])).rejects.toThrow(/first frame/);
});
