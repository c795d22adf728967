// Captures of a rectangle.
import { describe, expect, test } from "vitest";
import { BOX, bandColour, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf } = startSmallCaptures();

describe("clip_x, clip_y, clip_width and clip_height", () => {
  const clip = (x: number, y: number, width: number, height: number) => ({
    clip_x: x,
    clip_y: y,
    clip_width: width,
    clip_height: height,
  });

  test("capture a rectangle of the window", async () => {
    const image = await imageOf("/box", clip(BOX.x - 5, BOX.y - 10, 50, 40));
    expect(sizeOf(image)).toEqual([50, 40]);
    expect([image.colourAt(4, 30), image.colourAt(30, 9), image.colourAt(5, 10)]).toEqual([WHITE, WHITE, RED]);
  });

  test("capture a rectangle below the window at the device scale factor", async () => {
    const image = await imageOf("/bands", { ...clip(10, 2_150, 100, 200), device_scale_factor: 2 });
    expect(sizeOf(image)).toEqual([200, 400]);
    expect([50, 150, 250, 350].map((y) => image.colourAt(10, y))).toEqual([21, 22, 22, 23].map(bandColour));
  });

  test("keep their size beyond the page, which is white there", async () => {
    const image = await imageOf("/bands?count=5", clip(300, 400, 200, 200));
    expect(sizeOf(image)).toEqual([200, 200]);
    expect([image.colourAt(50, 50), image.colourAt(150, 50), image.colourAt(50, 150)]).toEqual([
      bandColour(4),
      WHITE,
      WHITE,
    ]);
  });
});

describe("a rectangle outside the page fails instead of giving a white image:", () => {
  const far = (x: number, y: number) => ({ clip_x: x, clip_y: y, clip_width: 100, clip_height: 100 });

  sampled(test, 12).each<[string, Readonly<Record<string, unknown>>, Record<string, string[]>]>([
    ["to its right", far(50_000, 0), { clip_x: ["must be less than the page's width of 400 pixels"] }],
    ["just below it", far(0, 500), { clip_y: ["must be less than the page's height of 500 pixels"] }],
    ["as gif", { ...far(0, 500), format: "gif" }, { clip_y: ["must be less than the page's height of 500 pixels"] }],
  ])("%s", async (_, options, details) => {
    expect(await failureOf(captureOf("/bands?count=5", options))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message: `The clip rectangle is outside the page, which is 400 × 500 CSS pixels. Lower ${Object.keys(details)}.`,
      details,
    });
  });

  test("a rectangle with a pixel on the page, or in the window below a short page, succeeds", async () => {
    expect(sizeOf(await imageOf("/bands?count=5", far(399, 499)))).toEqual([100, 100]);
    expect(sizeOf(await imageOf("/bands?count=1", far(0, 299)))).toEqual([100, 100]);
  });
});
