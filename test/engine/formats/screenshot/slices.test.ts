// Slices of a tall image.
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../../../lib/contract/options/capture-limits.ts";
import { sliceImage, sliceRows } from "../../../../lib/engine/formats/screenshot/slices.ts";
import { TimeoutError } from "../../../../lib/engine/timing/timeout-error.ts";
import { decode } from "../../../fixtures/png.ts";
import { createTiles, rowColour } from "../../../support/images.ts";

const encoding = { format: "png", quality: 80, fast: true } as const;
const bounds = { limits: defaultLimits, timeLeft: () => 10_000 };

test("slices: follow each other across tiles, with their overlap in common", async () => {
  const slices = await sliceImage(await createTiles(5, [150, 150, 50]), {
    height: 120,
    overlap: 20,
    encoding,
    ...bounds,
  });

  const seen = await Promise.all(
    slices.map(async ({ body, top, height }) => {
      const image = await decode(body);
      expect(image.height).toBe(height);
      const rows = Array.from({ length: height }, (_, row) => image.colourAt(4, row));
      expect(rows).toEqual(rows.map((_, row) => rowColour(top + row)));
      return [top, height];
    }),
  );
  expect(seen).toEqual([
    [0, 120],
    [100, 120],
    [200, 120],
    [300, 50],
  ]);
});

test("slices: fail when time is up", async () => {
  const made: number[] = [];
  const timeLeft = () => 2_000 - 1_000 * made.push(1);
  const slicing = { height: 100, overlap: 50, encoding, ...bounds, timeLeft };
  await expect(sliceImage(await createTiles(5, [150, 150, 50]), slicing)).rejects.toBeInstanceOf(TimeoutError);
  expect(made).toHaveLength(2);
});

describe("slices: an image", () => {
  test.each([
    ["lower than a slice", 80, 100, 10, [[0, 80]]],
    ["as high as a slice", 100, 100, 10, [[0, 100]]],
    ["a row higher", 101, 100, 10, [[0, 100], [90, 11]]], // biome-ignore format: a table
    ["of whole slices", 300, 100, 0, [[0, 100], [100, 100], [200, 100]]], // biome-ignore format: a table
    ["that ends with an overlap", 190, 100, 10, [[0, 100], [90, 100]]], // biome-ignore format: a table
  ])("%s is cut into as many as needed", (_, total, height, overlap, expected) => {
    expect(sliceRows(total, height, overlap).map((slice) => [slice.top, slice.height])).toEqual(expected);
  });

  test.each([100, 101, Number.NaN])("is not cut into slices of 100 rows that overlap by %d", (overlap) => {
    expect(() => sliceRows(1000, 100, overlap)).toThrow(RangeError);
  });
});
