// Captures of the window at an element.
import { describe, expect, test } from "vitest";
import { BAND_HEIGHT, bandColour } from "../../../fixtures/site-pages.ts";
import { sampled } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { imageOf } = startSmallCaptures();

describe("scroll_into_view and scroll_into_view_adjust_top", () => {
  test("capture the window with an element at its top", async () => {
    const image = await imageOf("/bands?count=15", { scroll_into_view: "#band-10" });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([10, 11, 12].map(bandColour));
  });

  sampled(test, 2).each([
    [70, [10, 11, 11]],
    [-20, [9, 10, 10]],
  ])("capture it %i pixels further", async (adjust, seen) => {
    const image = await imageOf("/bands?count=15", {
      scroll_into_view: "#band-10",
      scroll_into_view_adjust_top: adjust,
    });
    expect([10, 60, 110].map((y) => image.colourAt(200, y))).toEqual(seen.map(bandColour));
  });

  test("scroll the element that scrolls in place of the document", async () => {
    const image = await imageOf("/app-shell", { scroll_into_view: "#band-20" });
    expect(image.columnColours(300, BAND_HEIGHT, 100)).toEqual([20, 21].map(bandColour));
  });
});
