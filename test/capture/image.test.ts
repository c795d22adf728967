import { describe, expect, test } from "vitest";
import { assertCapturable, expressibleFormat, type ImageFormat, wholePixels } from "../../lib/capture/image.ts";

const area = (width: number, height: number) => ({ x: 0, y: 0, width, height });

describe("an area of whole pixels", () => {
  test.each([
    ["already whole", [10, 20, 30, 40], [10, 20, 30, 40]],
    ["of fractions, grows to hold both edges", [10.6, 20.2, 30.1, 40.9], [10, 20, 31, 42]],
    ["thinner than a pixel, across a border", [0.9, 0, 0.2, 1], [0, 0, 2, 1]],
    ["left of the page", [-0.5, -0.5, 1, 1], [-1, -1, 2, 2]],
  ])("%s", (_, [x = 0, y = 0, width = 0, height = 0], [left, top, across, down]) => {
    expect(wholePixels({ x, y, width, height })).toEqual({ x: left, y: top, width: across, height: down });
  });
});

describe("the size of an image", () => {
  test.each([
    ["80 million pixels", 8_000, 10_000, 1],
    ["80 million pixels by scale", 4_000, 5_000, 2],
    ["a wide and low one", 7_680, 1, 5],
  ])("may be %s", (_, width, height, scale) => {
    expect(() => assertCapturable(area(width, height), scale)).not.toThrow();
  });

  test.each([
    ["one row more than 80 million pixels", 8_000, 10_001, 1, "8000 × 10001 pixels"],
    ["the same area, sharper", 4_000, 5_000, 2.01, "8040 × 10050 pixels"],
    ["the largest window at the largest scale", 7_680, 4_320, 5, "38400 × 21600 pixels"],
  ])("may not be %s", (_, width, height, scale, size) => {
    expect(() => assertCapturable(area(width, height), scale)).toThrow(
      expect.objectContaining({
        code: "RESULT_TOO_LARGE",
        message: expect.stringContaining(`The image would measure ${size}, more than the 80 million`),
        details: { image: [size] },
      }),
    );
  });
});

describe("the format of an image", () => {
  test.each<[ImageFormat, number, number, number, ImageFormat]>([
    ["webp", 16_383, 100, 1, "webp"],
    ["webp", 16_384, 100, 1, "png"],
    ["webp", 100, 16_384, 1, "png"],
    ["webp", 100, 8_192, 2, "png"],
    ["webp", 100, 20_000, 0.5, "webp"],
    ["jpeg", 65_535, 100, 1, "jpeg"],
    ["jpeg", 100, 65_536, 1, "png"],
    ["png", 100, 100_000, 1, "png"],
  ])("%s of %i × %i at scale %d is made as %s", (wanted, width, height, scale, made) => {
    expect(expressibleFormat(wanted, area(width, height), scale)).toBe(made);
  });
});
