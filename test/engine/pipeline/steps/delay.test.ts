// The caller's delay.
import { describe, expect, test } from "vitest";
import { BOX, GREEN } from "../../../fixtures/site-pages.ts";
import { sampled } from "../../../support/slow-run.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { groundOf, imageOf } = startSmallCaptures();

/** A point inside the box of `/box`. */
const inside = [BOX.x + 1, BOX.y + 1] as const;

describe("delay", () => {
  test("waits after the page has loaded", async () => {
    expect((await imageOf("/green-later?after=500", { delay: 1 })).colourAt(...inside)).toEqual(GREEN);
  });

  sampled(test, 6).each([
    ["of the window", {}],
    ["of the whole page", { full_page: true }],
    ["as soon as it has been read", { wait_until: "domcontentloaded" }],
  ])("runs the idle callbacks of the page meanwhile: %s", async (_, options) => {
    const chain = "let left = 20; requestIdleCallback(function next() { --left ? requestIdleCallback(next) : done() })";
    expect(await groundOf(pageWithScript(chain), { delay: 1, ...options })).toEqual(GREEN);
  });
});
