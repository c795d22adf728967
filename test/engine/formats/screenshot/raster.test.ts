// Image processing: joining tiles, cropping, resizing, encoding.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { ImageFormat } from "../../../../lib/contract/options/formats.ts";
import { canExpress } from "../../../../lib/contract/options/image-limits.ts";
import type { ImageEncoding } from "../../../../lib/engine/formats/screenshot/encoding.ts";
import { composeImage, imageSize } from "../../../../lib/engine/formats/screenshot/raster.ts";
import type { Resizing } from "../../../../lib/engine/formats/screenshot/resizing.ts";
import { TimeoutError } from "../../../../lib/engine/timing/timeout-error.ts";
import { decode } from "../../../fixtures/png.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { failureOf } from "../../../support/chromium.ts";
import { BLUE, type Colour, createImage, createTiles, GREEN, RED, rowColour, WHITE } from "../../../support/images.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { measureMs, scaleLimitByLoad } from "../../../support/timing.ts";

const png: ImageEncoding = { format: "png", quality: 80, fast: false };

describe("raster: tiles", () => {
  test("become one image with every row in its place", async () => {
    const image = await composeImage(await createTiles(3, [700, 700, 99]), { encoding: png });
    const { width, height, colourAt } = await decode(image.body);
    expect({ width, height }).toEqual({ width: 3, height: 1499 });
    expect({ width: image.width, height: image.height }).toEqual({ width: 3, height: 1499 });
    const rows = Array.from({ length: height }, (_, row) => colourAt(2, row));
    expect(rows).toEqual(rows.map((_, row) => rowColour(row)));
  });

  test("keep their transparency when only some have any", async () => {
    const raster = [await createImage(4, 4, () => RED), await createImage(4, 4, () => [0, 0, 255, 0])];
    const { pixelAt } = await decode((await composeImage(raster, { encoding: png })).body);
    expect([pixelAt(0, 3), pixelAt(0, 4)]).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 0],
    ]);
  });

  test("are cropped across their borders", async () => {
    const crop = { left: 1, top: 95, width: 2, height: 110 };
    const { body } = await composeImage(await createTiles(4, [100, 100, 100]), { encoding: png, crop });
    const { width, height, colourAt } = await decode(body);
    expect({ width, height }).toEqual({ width: 2, height: 110 });
    expect([colourAt(0, 0), colourAt(0, 5), colourAt(1, 109)]).toEqual([95, 100, 204].map(rowColour));
  });

  test.each([
    ["widths", [4, 4], [5, 4], "differ in width"],
    ["heights, other than a lower last one", [4, 4], [4, 5], "differ in height"],
  ])("of different %s are refused", async (_, [width = 0, height = 0], [width2 = 0, height2 = 0], message) => {
    const raster = [await createImage(width, height, () => RED), await createImage(width2, height2, () => RED)];
    await expect(composeImage(raster, { encoding: png })).rejects.toThrow(message);
  });
});

/** 80 × 40: a left half in red, a right half in blue, a green border of 4 pixels at the top. */
const halves = createImage(80, 40, (x, y) => (y < 4 ? GREEN : x < 40 ? RED : BLUE));

async function resized(resizing: Partial<Resizing>, encoding = png) {
  const { body, ...size } = await composeImage(await halves, {
    encoding,
    resizing: { fit: "inside", position: "center", ...resizing },
  });
  const decoded = await decode(body);
  expect(size).toEqual({ width: decoded.width, height: decoded.height });
  return decoded;
}

describe("raster: resizing", () => {
  sampled(test, 16).each<[what: string, resizing: Partial<Resizing>, width: number, height: number]>([
    ["to a width, keeps its proportions", { width: 40 }, 40, 20],
    ["to a height, keeps its proportions", { height: 10 }, 20, 10],
    ["into a box, is inside of it", { width: 20, height: 20 }, 20, 10],
    ["into a larger box, stays as it is", { width: 800, height: 800 }, 80, 40],
    ["to a larger width, stays as it is", { width: 800 }, 80, 40],
    ["around a box, covers it", { width: 20, height: 20, fit: "outside" }, 40, 20],
    ["around a larger box, grows", { width: 100, height: 100, fit: "outside" }, 200, 100],
    ["to cover a box, has its size", { width: 20, height: 20, fit: "cover" }, 20, 20],
    ["to cover a larger box, grows", { width: 100, height: 100, fit: "cover" }, 100, 100],
    ["into a frame, has its size", { width: 20, height: 30, fit: "contain" }, 20, 30],
    ["without proportions, has the size", { width: 11, height: 33, fit: "fill" }, 11, 33],
    ["without proportions to one side, keeps them", { width: 160, fit: "fill" }, 160, 80],
    ["to nothing in particular, stays as it is", { fit: "cover" }, 80, 40],
    ["until a side would vanish, keeps a pixel of it", { width: 1 }, 1, 1],
  ])("%s", async (_, resizing, width, height) => {
    const image = await resized(resizing);
    expect({ width: image.width, height: image.height }).toEqual({ width, height });
  });

  test.each<[Resizing["position"], left: Colour, right: Colour]>([
    ["west", RED, RED],
    ["center", RED, BLUE],
    ["east", BLUE, BLUE],
  ])("to cover a box keeps the part at the %s", async (position, left, right) => {
    const { colourAt } = await resized({ width: 40, height: 40, fit: "cover", position });
    expect([colourAt(1, 20), colourAt(38, 20)]).toEqual([left, right]);
  });

  test.each(["entropy", "attention"] as const)("to cover a box finds its part by %s", async (position) => {
    const flower = await createImage(90, 30, (x, y) =>
      x > 70 && x < 86 && (x * 3 + y * 5) % 7 < 4 ? [220, 30, 60] : WHITE,
    );
    const resizing = { width: 30, height: 30, fit: "cover", position } as const;
    const { colourAt } = await decode((await composeImage(flower, { encoding: png, resizing })).body);
    const row = Array.from({ length: 30 }, (_, x) => colourAt(x, 15).join());
    expect(row.filter((colour) => colour === "220,30,60").length).toBeGreaterThan(5);
  });

  test.each<[Resizing["position"], top: Colour, bottom: Colour]>([
    ["north", GREEN, WHITE],
    ["south", WHITE, RED],
    ["center", WHITE, WHITE],
    ["attention", WHITE, WHITE],
  ])("to contain a box places the image at the %s of it", async (position, top, bottom) => {
    const { colourAt } = await resized({ width: 80, height: 80, fit: "contain", position });
    expect([colourAt(1, 1), colourAt(1, 78)]).toEqual([top, bottom]);
  });

  test("to contain a box fills the rest with the background", async () => {
    const box = { width: 80, height: 80, fit: "contain" } as const;
    expect((await resized({ ...box, background: "rgb(1 2 3)" })).colourAt(0, 0)).toEqual([1, 2, 3]);
    expect((await resized({ ...box, background: "#fc08" })).pixelAt(0, 0)).toEqual([255, 204, 0, 136]);
    expect((await resized({ ...box, background: "transparent" })).pixelAt(0, 0)[3]).toBe(0);
  });

  test("comes after cropping", async () => {
    const crop = { left: 40, top: 4, width: 40, height: 30 };
    const resizing = { width: 4, height: 3, fit: "fill", position: "center" } as const;
    const { width, height, colourAt } = await decode(
      (await composeImage(await halves, { encoding: png, crop, resizing })).body,
    );
    expect({ width, height, colour: colourAt(0, 0) }).toEqual({ width: 4, height: 3, colour: BLUE });
  });

  slowTest("fails when its time is up", async () => {
    const image = await halves;
    const fill = { fit: "fill", position: "center" } as const;
    const sixteenth = () => composeImage(image, { encoding: png, resizing: { width: 2_500, height: 2_500, ...fill } });
    const control = await measureMs(sixteenth);
    const all = composeImage(image, {
      encoding: png,
      resizing: { width: 10_000, height: 10_000, ...fill },
      timeoutMs: 1,
    });
    const took = await measureMs(() => all);
    await expect(all).rejects.toThrow(TimeoutError);
    expect(took).toBeLessThan(scaleLimitByLoad(2_500, control)); // to its end it would take sixteen times as long as the control
  });

  test("with an invalid background colour is an error of the caller", async () => {
    const failure = await failureOf(resized({ width: 9, fit: "contain", background: "url(x)" }));
    expect(failure).toMatchObject({ code: "VALIDATION_ERROR", details: { image_background: ["is not a colour"] } });
  });

  test.each<[what: string, resizing: Partial<Resizing>, encoding: Partial<ImageEncoding>, message: string]>([
    ["for its format", { width: 20_000, height: 10, fit: "fill" }, { format: "webp" }, "20000 × 10 pixels"],
    ["for memory", { width: 10_000, height: 10_000, fit: "outside" }, {}, "20000 × 10000 pixels"],
    ["for AVIF", { width: 4000, height: 4000, fit: "fill" }, { format: "avif" }, "12 million in all"],
    ["to be searched", { width: 1, height: 10_000, fit: "cover", position: "entropy" }, {}, "another image_position"],
  ])("is refused when the result is too large %s", async (_, resizing, encoding, message) => {
    const failure = await failureOf(resized(resizing, { ...png, ...encoding }));
    expect(failure).toMatchObject({ code: "RESULT_TOO_LARGE", message: expect.stringContaining(message) });
  });
});

/** Transparent on the left. */
const glass = createImage(64, 32, (x) => (x < 32 ? [0, 0, 0, 0] : [200, 40, 40, 255]));

describe("raster: encoding", () => {
  test.each([
    ["png", "png", "srgb"],
    ["jpeg", "jpeg", "srgb"],
    ["webp", "webp", "srgb"],
    ["avif", "heif", "srgb"],
    ["tiff", "tiff", "srgb"],
  ] as const)("as %s creates a file of that format", async (format, detected, space) => {
    const { body } = await composeImage(await halves, { encoding: { format, quality: 80, fast: false } });
    expect(await sharp(body).metadata()).toMatchObject({ format: detected, space, width: 80, height: 40 });
    const [red = 0, green = 0, blue = 0] = (await decode(body)).colourAt(10, 30);
    expect([red > 235, green < 20, blue < 20]).toEqual([true, true, true]);
  });

  test.each(["png", "webp", "avif", "tiff"] as const)("as %s keeps transparency", async (format) => {
    const { body } = await composeImage(await glass, { encoding: { format, quality: 80, fast: false } });
    const { pixelAt } = await decode(body);
    expect([pixelAt(4, 16)[3], pixelAt(60, 16)[3]]).toEqual([0, 255]);
  });

  test.each([
    [undefined, WHITE],
    ["#00f", BLUE],
  ])("as JPEG shows a background (%s) through transparency", async (background, expected) => {
    const resizing = { fit: "inside", position: "center", background } as const;
    const encoding = { format: "jpeg", quality: 100, fast: false } as const;
    const { colourAt } = await decode((await composeImage(await glass, { encoding, resizing })).body);
    colourAt(4, 16).forEach((channel, at) => {
      expect(Math.abs(channel - (expected[at] ?? 0))).toBeLessThan(6);
    });
  });

  test.each(["jpeg", "webp", "avif"] as const)("as %s is larger at a higher quality", async (format) => {
    const image = await noise();
    const sizes: number[] = [];
    for (const quality of [0, 30, 60, 80, 100]) {
      sizes.push((await composeImage(image, { encoding: { format, quality, fast: false } })).body.length);
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(sizes).size).toBe(sizes.length);
  });

  test.each(["png", "webp", "avif"] as const)("as %s for speed is larger, with the same pixels", async (format) => {
    const image = await paragraphs();
    const [slow, fast] = await Promise.all(
      [false, true].map((fast) => composeImage(image, { encoding: { format, quality: 80, fast } })),
    );
    if (!slow || !fast) throw new Error("There are two.");
    expect(fast.body.length).toBeGreaterThan(slow.body.length);
    const { colourAt } = await decode(fast.body);
    expect(colourAt(2, 2).every((channel) => channel > 200)).toBe(true);
  });
});

/** Dark marks of different lengths in lines on white, as text has. */
function paragraphs(): Promise<Buffer> {
  const random = seededRandom(9);
  const marks = new Set(Array.from({ length: 9000 }, () => Math.floor(random() * 256 * 256)));
  return createImage(256, 256, (x, y) =>
    y % 12 > 4 && x > 4 && marks.has(y * 256 + x - (x % 3)) ? [30, 30, 60] : WHITE,
  );
}

/** A gradient with noise on it, as a photograph has. */
function noise(): Promise<Buffer> {
  const random = seededRandom(3);
  return createImage(128, 128, (x, y) =>
    [x * 2, y * 2, 90].map((channel) => Math.floor(channel * 0.8 + random() * 50)),
  );
}

describe("raster: a format", () => {
  test.each<[ImageFormat, number, number, boolean]>([
    ["png", 1280, 100_000, true],
    ["png", 1280, 100_001, false],
    ["jpeg", 65_500, 1000, true],
    ["jpeg", 100, 65_501, false],
    ["webp", 16_383, 100, true],
    ["webp", 100, 16_384, false],
    ["webp", 7680, 10_000, false],
    ["avif", 16_384, 100, true],
    ["avif", 1280, 10_000, false],
    ["tiff", 1280, 100_000, true],
  ])("%s of %i × %i can be written: %s", (format, width, height, expected) => {
    expect(canExpress(format, { width, height })).toBe(expected);
  });
});

test("raster: the size of a tiled image is that of its tiles together", async () => {
  expect(await imageSize(await createTiles(7, [20, 20, 3]))).toEqual({ width: 7, height: 43 });
  expect(await imageSize(await halves)).toEqual({ width: 80, height: 40 });
});

describe("raster: bytes that are not an image", () => {
  const broken: [string, (png: Buffer) => Buffer][] = [
    ["nothing", () => Buffer.of()],
    ["text", () => Buffer.from("<html>no picture</html>")],
    ["half of a header", (whole) => whole.subarray(0, 20)],
    ["half of the pixels", (whole) => whole.subarray(0, whole.length >> 1)],
    ["pixels that are damaged", (whole) => Buffer.from(whole).fill(0xaa, whole.length >> 1, (whole.length >> 1) + 400)],
  ];

  test.each(broken)("such as %s are an error", async (_, damage) => {
    const damaged = damage(await noise());
    await expect(composeImage(damaged, { encoding: png })).rejects.toThrow();
    await expect(composeImage([await noise(), damaged], { encoding: png })).rejects.toThrow();
  });

  test("such as a header that promises too many pixels are an error at once", async () => {
    const bomb = Buffer.from(await noise());
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    await expect(composeImage(bomb, { encoding: png })).rejects.toThrow();
  });

  test("such as no tiles at all are an error", async () => {
    await expect(composeImage([], { encoding: png })).rejects.toThrow();
  });
});
