// Captures of the window at an element.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../../../support/chromium.ts";
import { decode, type Pixels } from "../../../support/png.ts";
import { type Site, startSite } from "../../../support/site.ts";
import { BAND_HEIGHT, bandColour } from "../../../support/site-pages.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;

/** Captures a page of the fixture site, or HTML, in a small window unless told. */
const captureOf = (page: string, options: Options) =>
  captureWith(
    {
      ...(page.startsWith("/") ? { url: site.origin + page } : { html: page }),
      viewport_width: 400,
      viewport_height: 300,
      timeout: 20,
      ...options,
    },
    { allow: [site.hostPort], isTimedFromLaunch: true },
  );

async function imageOf(page: string, options: Options): Promise<Pixels> {
  const { body } = await captureOf(page, options);
  return decode(body);
}

describe("scroll_into_view and scroll_into_view_adjust_top", () => {
  test("capture the window with an element at its top", async () => {
    const image = await imageOf("/bands", { scroll_into_view: "#band-10" });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([10, 11, 12].map(bandColour));
  });

  test.each([
    [-20, [9, 10, 10]],
    [70, [10, 11, 11]],
  ])("capture it %i pixels further", async (adjust, seen) => {
    const image = await imageOf("/bands", { scroll_into_view: "#band-10", scroll_into_view_adjust_top: adjust });
    expect([10, 60, 110].map((y) => image.colourAt(200, y))).toEqual(seen.map(bandColour));
  });

  test("scroll the element that scrolls in place of the document", async () => {
    const image = await imageOf("/app-shell", { scroll_into_view: "#band-20" });
    expect(image.columnColours(300, BAND_HEIGHT, 100)).toEqual([20, 21].map(bandColour));
  });
});
