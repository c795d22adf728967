// Pages that change while they are scrolled look like their still twins: what a visitor has seen of them once everything came to rest.
import { describe, expect, test } from "vitest";
import { decode, type Pixels } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";
import { TWINS, type Twins } from "./twins.ts";

const WINDOW = { viewport_width: 400, viewport_height: 300 };

/** Pixels of a side of the squares that are compared, and the share of their pixels that may differ. */
const TILE = 32;
const MAX_SHARE = 0.02;

/** The largest difference of a component, from 0 to 255, of pixels that count as equal. */
const TOLERANCE = 8;

const imageOf = async (html: string): Promise<Pixels> => {
  const options = { html, full_page: true, ...WINDOW, wait_until: "load", timeout: 90 };
  return decode((await captureWith(options, { isTimedFromLaunch: true })).body);
};

const isDifferent = (one: readonly number[], other: readonly number[]) =>
  one.some((component, index) => Math.abs(component - (other[index] ?? 0)) > TOLERANCE);

/** The tiles in which two pictures of the same size differ, as `x,y`. */
function differentTiles(one: Pixels, other: Pixels, endless: Twins["endless"]): string[] {
  const tiles: string[] = [];
  for (let top = 0; top < one.height; top += TILE) {
    if (endless && top + TILE > endless.top && top < endless.bottom) continue;
    for (let left = 0; left < one.width; left += TILE)
      if (shareOfDifferent(one, other, { left, top }) > MAX_SHARE) tiles.push(`${left},${top}`);
  }
  return tiles;
}

function shareOfDifferent(one: Pixels, other: Pixels, { left, top }: { left: number; top: number }): number {
  let [pixels, different] = [0, 0];
  for (let y = top; y < Math.min(top + TILE, one.height); y++) {
    for (let x = left; x < Math.min(left + TILE, one.width); x++) {
      pixels++;
      if (isDifferent(one.pixelAt(x, y), other.pixelAt(x, y))) different++;
    }
  }
  return different / pixels;
}

describe("a full page shows what has come to rest", () => {
  sampled(test, 21).each(TWINS.map((twins) => [twins.name, twins] as const))("%s", async (_, { page, endless }) => {
    const [still, live] = [await imageOf(page(true)), await imageOf(page(false))];
    expect([live.width, live.height]).toEqual([still.width, still.height]);
    expect(differentTiles(still, live, endless)).toEqual([]);
  });
});
