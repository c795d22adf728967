// Pictures that a model can read: their limits, and slices that together show the whole image.
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, test } from "vitest";
import { modelPictures, slicePictures, wholePicture } from "../../../lib/service/mcp/model-picture.ts";
import {
  MAX_PICTURE_BYTES,
  MAX_PIXELS,
  MAX_SIDE_PX,
  MAX_SLICES,
  NoPicture,
} from "../../../lib/service/mcp/picture-limits.ts";
import { sampled } from "../../support/slow-run.ts";

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

async function sizes(pictures: readonly Buffer[]) {
  return Promise.all(
    pictures.map(async (each) => {
      const { format, width = 0, height = 0 } = await sharp(each).metadata();
      return { format, width, height };
    }),
  );
}

test.each([
  [300, 200, 300, 200],
  [1280, 1024, 1198, 959],
  [2560, 2048, 1198, 959],
  [400, 20_000, 31, 1568],
  [7680, 64, 1568, 13],
  [1, 1, 1, 1],
])("model pictures: %i × %i becomes %i × %i, as WebP", async (width, height, expectedWidth, expectedHeight) => {
  const whole = await wholePicture(await image(width, height));
  expect(await sizes(whole.pictures)).toEqual([{ format: "webp", width: expectedWidth, height: expectedHeight }]);
  expect(whole).toMatchObject({ width, height, total: 1 });
});

sampled(test, 2).each([
  [1280, 3000],
  [390, 20_000],
  [3000, 9000],
  [1072, 1072],
])(
  "model pictures: slices of %i × %i are within the limits, and the last one ends with the image",
  async (width, height) => {
    const tall = await image(width, height);
    let [shown, slices, scale] = [0, 0, 1];
    for (let first = 1; ; first += MAX_SLICES) {
      const part = await slicePictures(tall, first);
      expect(part.pictures.length).toBeLessThanOrEqual(MAX_SLICES);
      for (const size of await sizes(part.pictures)) {
        expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(MAX_SIDE_PX);
        expect(size.width * size.height).toBeLessThanOrEqual(MAX_PIXELS);
        shown += size.height;
        slices++;
      }
      ({ scale } = part);
      if (slices === part.total) break;
    }
    const repeated = shown / scale - height;
    expect(repeated / Math.max(1, slices - 1)).toBeCloseTo(slices === 1 ? 0 : 48 / scale, -1);
  },
);

test("model pictures: there are none behind the last slice", async () => {
  expect(await slicePictures(await image(200, 200), 2)).toMatchObject({ pictures: [], total: 1 });
});

test.each([
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ["HTML", Buffer.from("<!doctype html>")],
  ["nothing", Buffer.alloc(0)],
])("MCP: %s is not decoded", async (_, bytes) => {
  await expect(modelPictures(bytes, { firstSlice: undefined })).rejects.toThrow(NoPicture);
  await expect(modelPictures(bytes, { firstSlice: 1 })).rejects.toThrow(NoPicture);
});

test.each(["png", "jpeg", "webp", "avif", "tiff", "gif"] as const)(
  "MCP: a model sees an image in %s",
  async (format) => {
    const source = await sharp(await image(300, 200))
      .toFormat(format)
      .toBuffer();
    const { pictures } = await modelPictures(source, { firstSlice: undefined });
    expect(await sizes(pictures)).toEqual([{ format: "webp", width: 300, height: 200 }]);
  },
);

test("MCP: noise fits into the limit of a picture", async () => {
  const [width, height] = [1_072, 1_072];
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
  const { pictures } = await modelPictures(await noise.png().toBuffer(), { firstSlice: undefined });
  expect(pictures[0]?.length).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
});
