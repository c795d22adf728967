// The visual diff itself: it finds what a full page lacks of what a visitor saw, and nothing on a right one.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareWithVisit } from "../../../../lib/tools/measure/visual-diff/compare-visit.ts";
import { useOwnSite } from "../../../../lib/tools/measure/visual-diff/npm-packages.ts";
import { compareTiles, decodePicture } from "../../../../lib/tools/measure/visual-diff/tiles.ts";
import { type PlainVisit, visitPlainly } from "../../../../lib/tools/measure/visual-diff/visit.ts";
import { createImage } from "../../../support/images.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";

const WINDOW = { width: 320, height: 256 };
const COLOURS = [
  [200, 30, 30],
  [30, 160, 30],
  [30, 30, 200],
] as const;
const SECTION = 256;

const sections = COLOURS.map((colour) => `<div style="height:${SECTION}px;background:rgb(${colour})"></div>`).join("");
const bar = `<div style="position:fixed;top:0;left:0;width:100%;height:32px;background:black"></div>`;
const moving = `<style>@keyframes move{to{left:200px}}</style>
  <div style="position:absolute;top:0;left:0;width:64px;height:64px;background:black;animation:move .9s linear infinite"></div>`;
const pages: Readonly<Record<string, string>> = {
  "/plain": sections,
  "/bar": bar + sections,
  "/moving": moving + sections,
  "/shell": `<style>html,body{height:100%;overflow:hidden}</style><main style="height:100%;overflow:auto">${sections}</main>`,
};

let server: Server;
beforeAll(async () => {
  server = createServer(({ url = "" }, answer) =>
    answer.setHeader("content-type", "text/html").end(`<!doctype html><style>body{margin:0}</style>${pages[url]}`),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

const visit = (path: string): Promise<PlainVisit> =>
  visitPlainly(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    isOffline: true,
    viewport: WINDOW,
    minStillMs: 0,
    maxStillMs: 300,
  });

/** A full page of the sections, the given ones white. */
const fullPage = (...missing: number[]) =>
  createImage(WINDOW.width, COLOURS.length * SECTION, (_, y) => {
    const section = Math.floor(y / SECTION);
    return missing.includes(section) ? [255, 255, 255] : (COLOURS[section] ?? []);
  });

describe.concurrent("a full page compared with what a visitor saw", () => {
  slowTest.for(["/plain", "/bar", "/moving", "/shell"])(
    "differs nowhere when it is right: %s",
    async (path, { expect }) => {
      const { share, compared } = await compareWithVisit(await fullPage(), await visit(path));
      expect(share).toBe(0);
      expect(compared).toBeGreaterThan(50);
    },
  );

  sampled(test, 2).for(["/plain", "/shell"])("differs where a section is blank: %s", async (path, { expect }) => {
    const { share, differing } = await compareWithVisit(await fullPage(1), await visit(path));
    expect(share).toBeCloseTo(1 / 3, 2);
    expect(differing.every(({ top }) => top >= SECTION && top < 2 * SECTION)).toBe(true);
  });

  slowTest("differs where it ends too soon", async ({ expect }) => {
    const cut = await sharp(await fullPage()).extract({ left: 0, top: 0, width: WINDOW.width, height: 2 * SECTION });
    const { share } = await compareWithVisit(await cut.png().toBuffer(), await visit("/plain"));
    expect(share).toBeCloseTo(1 / 3, 2);
  });
});

test("pictures of the same page at scale 1 and 2 have the same tiles", async () => {
  const colourOf = (x: number, y: number) => [x % 200, y % 200, 90];
  const one = await decodePicture(await createImage(64, 64, colourOf));
  const two = await decodePicture(await createImage(128, 128, (x, y) => colourOf(x >> 1, y >> 1)), 2);
  const whole = { left: 0, top: 0, width: 64, height: 64 };
  const options = { maxDifference: 1 };
  expect(compareTiles(one, whole, two, whole, options)).toEqual({ compared: 4, differing: [] });
});

test.each([
  [
    "https://cdn.jsdelivr.net/npm/bootstrap@5.2.3/dist/js/bootstrap.bundle.min.js",
    "/.npm/bootstrap@5.2.3/dist/js/bootstrap.bundle.min.js",
  ],
  ["//unpkg.com/@glidejs/glide@3.7.1/dist/glide.js", "/.npm/@glidejs/glide@3.7.1/dist/glide.js"],
  ["https://use.fontawesome.com/releases/v6.3.0/js/all.js", "/.npm/@fortawesome/fontawesome-free@6.3.0/js/all.js"],
  ["https://code.jquery.com/jquery-3.7.1.min.js", "/.npm/jquery@3.7.1/dist/jquery.min.js"],
  ["https://example.com/npm/bootstrap@5.2.3/x.js", "https://example.com/npm/bootstrap@5.2.3/x.js"],
])("a page of a package gets %s from its own site or not at all", (address, expected) => {
  expect(useOwnSite(`<script src="${address}"></script>`)).toBe(`<script src="${expected}"></script>`);
});
