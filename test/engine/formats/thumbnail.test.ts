// Thumbnails of pictures of any size, format, and content.
import { randomBytes } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { makeReportPicture, makeThumbnail } from "../../../lib/engine/formats/thumbnail.ts";
import { MAX_REPORT_PICTURE_BYTES, MAX_THUMBNAIL_BYTES } from "../../../lib/engine/formats/thumbnail-limits.ts";
import { sample, sampled, slowTest } from "../../support/slow-run.ts";

const plain = (width: number, height: number, background: object | string = "#0a7") =>
  sharp({ create: { width, height, channels: 4, background } });

const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

async function thumbnailOf(image: Sharp) {
  const thumbnail = await makeThumbnail(await image.toBuffer());
  if (!thumbnail) return undefined;
  const { format, width, height } = await sharp(thumbnail).metadata();
  return { format, size: [width, height], sizeBytes: thumbnail.length };
}

describe("a thumbnail", () => {
  slowTest("of a tall page of 1280 × 30000 pixels is [320,400]", async () => {
    expect(await thumbnailOf(plain(1280, 30_000).png())).toMatchObject({ format: "webp", size: [320, 400] });
  });

  test.each([
    ["of a window", 1280, 1024, [320, 256]],
    ["of a page as high as is shown", 640, 800, [320, 400]],
    ["of a tall page", 640, 5_000, [320, 400]],
    ["of a narrow picture", 200, 100, [200, 100]],
    ["of a narrow and tall one", 100, 5_000, [100, 400]],
    ["of a pixel", 1, 1, [1, 1]],
    ["of a row", 5_000, 1, [320, 1]],
    ["of a column", 1, 16_000, [1, 400]],
  ])("%s of %i × %i pixels is %j", async (_, width, height, size) => {
    expect(await thumbnailOf(plain(width, height).png())).toMatchObject({ format: "webp", size });
  });

  test.each(["png", "jpeg", "webp", "avif", "tiff"] as const)("is made of %s", async (format) => {
    expect(await thumbnailOf(plain(640, 480).toFormat(format))).toMatchObject({ format: "webp", size: [320, 240] });
  });

  sampled(test, 2).each([
    [320, 400],
    [1_280, 1_024],
    [640, 2_000],
    [1_280, 4_000],
  ])("of noise of %i × %i pixels fits, too", async (width, height) => {
    const thumbnail = await thumbnailOf(noise(width, height).png({ compressionLevel: 0 }));
    expect(thumbnail?.sizeBytes).toBeLessThanOrEqual(MAX_THUMBNAIL_BYTES);
    expect((thumbnail?.size[1] ?? 0) / (thumbnail?.size[0] ?? 1)).toBeCloseTo(Math.min(1.25, height / width), 2);
  });

  test("shows the top of a tall page", async () => {
    const top = await plain(400, 500, "#f00").png().toBuffer();
    const page = plain(400, 3_000, "#00f")
      .composite([{ input: top, top: 0, left: 0 }])
      .png();
    const pixels = await sharp(await makeThumbnail(await page.toBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(pixels[0]).toBeGreaterThan(230);
    expect(pixels.at(-3)).toBeGreaterThan(230); // the last row
  });

  test("keeps what is transparent", async () => {
    const pixels = await sharp(
      await makeThumbnail(await plain(64, 64, { r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer()),
    )
      .raw()
      .toBuffer();
    expect(pixels[3]).toBe(0);
  });

  test("is not made of a picture that takes long to decode", async () => {
    const fast = { compressionLevel: 1 };
    expect(await thumbnailOf(plain(2_000, 2_001).webp({ effort: 0 }))).toBeUndefined();
    expect(await thumbnailOf(plain(2_000, 2_001).png(fast))).toBeDefined();
  });

  slowTest("is not made of a PNG of which more than 40 million pixels are shown", async () => {
    expect(await thumbnailOf(plain(8_000, 5_001).png({ compressionLevel: 1 }))).toBeUndefined();
  });

  test("is not made of a format in which no result is", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    expect(await makeThumbnail(Buffer.from(svg))).toBeUndefined();
    expect(await makeThumbnail(Buffer.from("<script>alert(1)</script>"))).toBeUndefined();
    expect(await makeThumbnail(await plain(9, 9).gif().toBuffer())).toBeUndefined();
    expect(await makeThumbnail(Buffer.alloc(0))).toBeUndefined();
  });

  sampled(test, 2).each([
    ["an interlaced PNG", (image: Sharp) => image.png({ progressive: true, compressionLevel: 1 })],
    ["a progressive JPEG", (image: Sharp) => image.jpeg({ progressive: true })],
  ])("is made of %s only where the whole of it may be decoded", async (_, encode) => {
    expect(await thumbnailOf(encode(plain(320, 12_000)))).toMatchObject({ size: [320, 400] });
    expect(await thumbnailOf(encode(plain(320, 13_000)))).toBeUndefined();
  });
});

describe("the picture of a report", () => {
  const sizeOf = async (picture: Buffer | undefined) => {
    const { format, width, height } = await sharp(picture).metadata();
    return [format, width, height];
  };

  test.each([
    ["of a window", 1280, 1024, [640, 512]],
    ...sample<[string, number, number, [number, number]]>(
      [
        ["of a tall page", 1280, 5_000, [640, 1024]],
        ["of a very tall page", 1280, 30_000, [640, 1024]],
      ],
      2,
    ),
    ["of a narrow picture", 200, 100, [200, 100]],
  ])("%s of %i × %i pixels is %j", async (_, width, height, [...size]) => {
    expect(await sizeOf(await makeReportPicture(await plain(width, height).png().toBuffer()))).toEqual([
      "webp",
      ...size,
    ]);
  });

  test("of noise fits", async () => {
    const picture = await makeReportPicture(await noise(1_280, 2_048).png({ compressionLevel: 0 }).toBuffer());
    expect(picture?.length).toBeLessThanOrEqual(MAX_REPORT_PICTURE_BYTES);
    expect(await sizeOf(picture)).toEqual(["webp", 640, 1024]);
    const sharpest = await makeReportPicture(await noise(640, 1_024).png({ compressionLevel: 0 }).toBuffer());
    expect(sharpest?.length).toBeLessThanOrEqual(MAX_REPORT_PICTURE_BYTES);
  });
});
