// The caller's delay.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../../lib/fixtures/png.ts";
import { type Site, startSite } from "../../../../lib/fixtures/site.ts";
import { BOX, GREEN } from "../../../../lib/fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 20 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

async function imageOf(path: string, options: Options = {}) {
  return decode((await captureOf(path, options)).body);
}

/** A page that says "Ready?" and then does what `script` says, in which `done()` makes it green. */
const page = (script: string, body = "Ready?") =>
  `<!doctype html><body style="margin:0">${body}<script>const done = () => { document.body.style.background = "green" }; ${script}</script>`;

const htmlOf = (html: string, options: Options = {}) =>
  captureWith({ html, ...window, ...options }, { isTimedFromLaunch: true });
const groundOf = async (html: string, options: Options = {}) =>
  (await decode((await htmlOf(html, options)).body)).colourAt(390, 290);

/** A point inside the box of `/box`. */
const inside = [BOX.x + 1, BOX.y + 1] as const;

describe("delay", () => {
  test("waits after the page has loaded", async () => {
    expect((await imageOf("/green-later?after=500", { delay: 1 })).colourAt(...inside)).toEqual(GREEN);
  });

  test.each([
    ["of the window", {}],
    ["of the whole page", { full_page: true }],
    ["as soon as it has been read", { wait_until: "domcontentloaded" }],
  ])("runs the idle callbacks of the page meanwhile: %s", async (_, options) => {
    const chain = "let left = 20; requestIdleCallback(function next() { --left ? requestIdleCallback(next) : done() })";
    expect(await groundOf(page(chain), { delay: 1, ...options })).toEqual(GREEN);
  });
});
