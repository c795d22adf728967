// Captures that are cut at the edges of the window.
import { describe, expect, test } from "vitest";
import { BAND_HEIGHT, bandColour } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf } = startSmallCaptures();

describe("capture_beyond_viewport", () => {
  test("false: crops a rectangle to the window", async () => {
    const options = { clip_x: 0, clip_y: 250, clip_width: 100, clip_height: 200, capture_beyond_viewport: false };
    const image = await imageOf("/bands?count=6", options);
    expect(sizeOf(image)).toEqual([100, 50]);
    expect(image.colourAt(50, 25)).toEqual(bandColour(2));
  });

  test("false: crops a full page to the window", async () => {
    const image = await imageOf("/bands?count=5", { full_page: true, capture_beyond_viewport: false });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([0, 1, 2].map(bandColour));
  });

  test("false: captures an element that was scrolled into view", async () => {
    const image = await imageOf("/bands?count=12", { selector: "#band-10", capture_beyond_viewport: false });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([bandColour(10)]);
  });

  test("false: fails when nothing is in the window", async () => {
    const options = { clip_x: 0, clip_y: 900, clip_width: 100, clip_height: 200, capture_beyond_viewport: false };
    const { code, message } = await failureOf(captureOf("/bands?count=12", options));
    expect({ code, message }).toEqual({
      code: "SELECTOR_NOT_FOUND",
      message: "The area to capture is outside the viewport. Set capture_beyond_viewport=true.",
    });
  });
});
