// Dominant colors of an image.
import { expect, test } from "vitest";
import { dominantColors } from "../../../../lib/engine/formats/screenshot/dominant-colors.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { BLUE, createImage, GREEN, RED, WHITE } from "../../../support/images.ts";

test("dominant colors: returns the colors of known areas, the largest first", async () => {
  // Rows: 60 % white, 30 % blue, 10 % red.
  const image = await createImage(100, 100, (_, y) => (y < 60 ? WHITE : y < 90 ? BLUE : RED));
  expect(await dominantColors(image, 5)).toEqual([
    { colour: "#ffffff", share: 0.6 },
    { colour: "#0000ff", share: 0.3 },
    { colour: "#ff0000", share: 0.1 },
  ]);
});

test("dominant colors: returns at most the requested number", async () => {
  const image = await createImage(30, 30, (_, y) => (y < 15 ? WHITE : y < 25 ? BLUE : RED));
  expect((await dominantColors(image, 2)).map(({ colour }) => colour)).toEqual(["#ffffff", "#0000ff"]);
});

test("dominant colors: covers the whole of a tiled image, however large", async () => {
  const strip = (colour: readonly number[]) => createImage(600, 300, () => colour);
  const raster = await Promise.all([RED, GREEN, GREEN, GREEN].map(strip));
  const [first, second, ...others] = await dominantColors(raster, 9);
  expect([first?.colour, second?.colour, others]).toEqual(["#008000", "#ff0000", []]);
  expect(first?.share).toBeCloseTo(0.75, 2);
});

test("dominant colors: merges shades into the most frequent one", async () => {
  const random = seededRandom(5);
  const image = await createImage(100, 100, (x) =>
    x < 50 ? (random() < 0.6 ? [20, 60, 120] : [18, 64, 115].map((c) => c + Math.floor(random() * 9))) : WHITE,
  );
  expect(await dominantColors(image, 9)).toEqual([
    { colour: "#ffffff", share: 0.5 },
    { colour: "#143c78", share: 0.5 },
  ]);
});

test("dominant colors: ignores transparent pixels", async () => {
  const image = await createImage(40, 40, (_, y) => (y < 30 ? [0, 0, 0, 0] : [...RED, 255]));
  expect(await dominantColors(image, 5)).toEqual([{ colour: "#ff0000", share: 1 }]);
  expect(await dominantColors(await createImage(4, 4, () => [0, 0, 0, 0]), 5)).toEqual([]);
});
