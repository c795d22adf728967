// Geometry of the captured area: whole pixels, image size, tiles, padding, intersections.
import { describe, expect, test } from "vitest";
import {
  type Area,
  intersect,
  splitIntoTiles,
  toDevicePixels,
  wholePixels,
  withPadding,
} from "../../../lib/engine/geometry/area.ts";

const area = (width: number, height: number) => ({ x: 0, y: 0, width, height });
const areaOf = ([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Area => ({ x, y, width, height });

describe("area: grows to whole pixels", () => {
  test.each([
    ["already whole", [10, 20, 30, 40], [10, 20, 30, 40]],
    ["of fractions, grows to hold both edges", [10.6, 20.2, 30.1, 40.9], [10, 20, 31, 42]],
    ["thinner than a pixel, across a border", [0.9, 0, 0.2, 1], [0, 0, 2, 1]],
    ["left of the page", [-0.5, -0.5, 1, 1], [-1, -1, 2, 2]],
  ])("%s", (_, fractions, whole) => {
    expect(wholePixels(areaOf(fractions))).toEqual(areaOf(whole));
  });
});

describe("area: the size of an image", () => {
  test.each([
    [1_280, 1_024, 1, { width: 1_280, height: 1_024 }],
    [393, 659, 3, { width: 1_179, height: 1_977 }],
    [412, 915, 2.625, { width: 1_082, height: 2_402 }],
    [1, 1, 0.5, { width: 1, height: 1 }],
  ])("of %i × %i at scale %d is %j", (width, height, scale, pixels) => {
    expect(toDevicePixels(area(width, height), scale)).toEqual(pixels);
  });
});

describe("area: tiles", () => {
  const scales = [0.5, 0.75, 1, 1.1, 1.25, 4 / 3, 1.5, 2, 2.25, 2.5, 2.625, 2.75, 3, 3.5, 4.5, 5, (3 * 393) / 980];
  const areas = [
    [0, 0, 1_280, 20_000],
    [0, 0, 393, 20_001],
    [100, 250, 1_000, 33_333],
    [0, 0, 7_680, 5_000],
    [7, 9, 10, 10],
    [0, 0, 100_000, 25],
  ];
  const table = scales.flatMap((scale) => areas.map((each) => ({ scale, whole: areaOf(each) })));

  test.each(table)("at scale $scale cover $whole exactly once, within bounded memory", ({ scale, whole }) => {
    const tiles = splitIntoTiles(whole, scale);
    let end = whole.y;
    for (const tile of tiles) {
      expect(tile).toMatchObject({ x: whole.x, y: end, width: whole.width });
      expect(tile.height).toBeGreaterThan(0);
      end = tile.y + tile.height;
    }
    expect(end).toBe(whole.y + whole.height);
    const isWide = whole.width * scale * scale * 10 > 8_000_000; // ten rows are painted at once, however wide they are
    if (!isWide)
      expect(Math.max(...tiles.map((tile) => tile.width * tile.height * scale ** 2))).toBeLessThanOrEqual(8_000_000);
  });

  test.each(table)("at scale $scale have as many pixels as $whole, and end with a whole one", ({ scale, whole }) => {
    const tiles = splitIntoTiles(whole, scale);
    const rows = tiles.reduce((sum, tile) => sum + toDevicePixels(tile, scale).height, 0);
    expect(rows).toBe(toDevicePixels(whole, scale).height);
    for (const tile of tiles.slice(0, -1)) {
      expect(Math.abs(tile.height * scale - toDevicePixels(tile, scale).height)).toBeLessThan(0.02);
    }
  });

  test("are a single one where the area is small", () => {
    expect(splitIntoTiles(area(1_280, 1_024), 1)).toEqual([area(1_280, 1_024)]);
  });

  test("are no more than memory requires", () => {
    expect(splitIntoTiles(area(1_280, 20_000), 1)).toHaveLength(4);
  });
});

describe("area: padding around several areas", () => {
  test.each([
    ["one", [[10, 20, 30, 40]], 0, [10, 20, 30, 40]],
    ["one, with padding", [[10, 20, 30, 40]], 5, [5, 15, 40, 50]],
    ["two that are apart", [[10, 20, 30, 40], [100, 5, 10, 10]], 0, [10, 5, 100, 55]], // biome-ignore format: a table
    ["one within another", [[10, 10, 5, 5], [0, 0, 50, 50]], 0, [0, 0, 50, 50]], // biome-ignore format: a table
    ["one at the page's corner, padded only to where the page is", [[2, 0, 10, 10]], 5, [0, 0, 17, 15]],
    ["one that begins before the page", [[-10, -10, 30, 30]], 0, [0, 0, 20, 20]],
  ])("%s", (_, areas, padding, expected) => {
    expect(withPadding(areas.map(areaOf), padding)).toEqual(areaOf(expected));
  });
});

describe("area: the intersection of two areas", () => {
  test.each([
    ["a corner", [0, 0, 10, 10], [5, 6, 10, 10], [5, 6, 5, 4]],
    ["one of them", [0, 0, 10, 10], [2, 3, 4, 5], [2, 3, 4, 5]],
    ["a strip across", [0, 5, 100, 10], [20, 0, 10, 100], [20, 5, 10, 10]],
  ])("is %s, in either order", (_, one, other, common) => {
    expect(intersect(areaOf(one), areaOf(other))).toEqual(areaOf(common));
    expect(intersect(areaOf(other), areaOf(one))).toEqual(areaOf(common));
  });

  test.each([
    ["next to each other", [0, 0, 10, 10], [10, 0, 10, 10]],
    ["below each other", [0, 0, 10, 10], [0, 10, 10, 10]],
    ["far apart", [0, 0, 10, 10], [100, 100, 10, 10]],
    ["a line", [0, 0, 10, 10], [5, 5, 0, 10]],
  ])("is empty when they are %s", (_, one, other) => {
    expect(intersect(areaOf(one), areaOf(other))).toBeUndefined();
  });
});
