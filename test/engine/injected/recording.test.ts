// The page scripts that scroll a page while it is recorded, in pages that make it difficult.

import { expect, test } from "vitest";
import { scrollRecordingToInPage } from "../../../lib/engine/formats/video/scrolling.ts";
import { evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import { nextFrameInPage } from "../../../lib/engine/page/next-frame.ts";
import { scrollExtentInPage } from "../../../lib/engine/page/scrolling.ts";
import { loadEagerlyInPage } from "../../../lib/engine/pipeline/steps/load-lazy-images.ts";
import { type OpenPage, openPage } from "../../support/open-page.ts";
import { sampled } from "../../support/slow-run.ts";

const WINDOW = { width: 400, height: 300, deviceScaleFactor: 1, mobile: false };

const open = (html: string, metrics = WINDOW) =>
  openPage(`<!doctype html>${html}`, {
    opening: async ({ cdp }) => {
      await cdp.send("Emulation.setDeviceMetricsOverride", metrics);
    },
  });

const extentOf = ({ capturing }: OpenPage) => evaluateInIsolatedWorld(capturing, scrollExtentInPage);

/** Scrolls to `top`; returns the scroll offset at once, and after the next frame. */
async function scrolledTo({ capturing }: OpenPage, top: number): Promise<number[]> {
  await evaluateInIsolatedWorld(capturing, scrollRecordingToInPage, top);
  const atOnce = await scrollOffset(capturing);
  await evaluateInIsolatedWorld(capturing, nextFrameInPage);
  return [atOnce, await scrollOffset(capturing)];
}

/** The largest scroll offset of all elements, shadow roots included: one element scrolls in each of these pages. */
async function scrollOffset({ session }: OpenPage["capturing"]): Promise<number> {
  const page = await session.page();
  return page.evaluate(() => {
    const offsets = (root: ParentNode): number[] =>
      [...root.querySelectorAll("*")].flatMap((element) => [
        Reflect.get(Element.prototype, "scrollTop", element),
        ...(element.shadowRoot instanceof ShadowRoot ? offsets(element.shadowRoot) : []),
      ]);
    return Math.max(...offsets(document));
  });
}

const SECTIONS = "<section></section>".repeat(8);
const TALL = '<div style="height:2000px"></div>';

sampled(test, 12).each([
  ["a page", `<style>body{margin:0}</style>${TALL}`],
  ["a page that scrolls smoothly", `<style>html{scroll-behavior:smooth}body{margin:0}</style>${TALL}`],
  [
    "a page that snaps to its sections",
    `<style>html{scroll-snap-type:y mandatory}body{margin:0}section{height:250px;scroll-snap-align:start}</style>
     ${SECTIONS}`,
  ],
  ["a page that a consent banner has locked", `<style>html,body{margin:0;height:100%;overflow:hidden}</style>${TALL}`],
  [
    "an inner scroller of an application",
    `<style>body{margin:0}main{height:300px;overflow:auto;scroll-behavior:smooth;scroll-snap-type:y mandatory}
     section{height:250px;scroll-snap-align:start}</style><main>${SECTIONS}</main>`,
  ],
  [
    "an inner scroller inside shadow roots",
    `<style>body{margin:0}</style><x-app><template shadowrootmode="open"><x-list><template shadowrootmode="open">
     <main style="height:300px;overflow:auto">${TALL}</main></template></x-list></template></x-app>`,
  ],
  [
    "a form whose fields have the names of its properties",
    `<style>body{margin:0}form{height:300px;overflow:auto}input{position:absolute}</style>
     <form><input name="scrollTo"><input name="style"><input name="clientTop">${TALL}</form>`,
  ],
])("scrolling a recording: %s scrolls to its end, to any offset at once, and back", async (_, html) => {
  await using page = await open(html);
  expect(await extentOf(page)).toBe(1700);
  expect(await scrolledTo(page, 1700)).toEqual([1700, 1700]);
  expect(await scrolledTo(page, 333.3)).toEqual([333, 333]);
  expect(await scrolledTo(page, 9999)).toEqual([1700, 1700]);
  expect(await scrolledTo(page, 0)).toEqual([0, 0]);
});

test("scrolling a recording: a page that a phone shows zoomed out scrolls to its end", async () => {
  await using page = await open(
    `<meta name="viewport" content="width=device-width"><style>body{margin:0}</style><div style="width:800px;height:2000px">`,
    { ...WINDOW, mobile: true },
  );
  const extent = await extentOf(page);
  expect(extent).toBe(1400);
  expect(await scrolledTo(page, 9999)).toEqual([extent, extent]);
});

test("scrolling a recording: a page that fits into the window has no scroll extent", async () => {
  await using page = await open("<p>Short.");
  expect(await extentOf(page)).toBe(0);
  expect(await scrolledTo(page, 50)).toEqual([0, 0]);
});

test("scrolling a recording: finds the scroller again in the next document", async () => {
  await using page = await open(`<style>body{margin:0}</style>${TALL}`);
  expect(await scrolledTo(page, 100)).toEqual([100, 100]);
  const tab = await page.capturing.session.page();
  await tab.reload();
  expect(await scrolledTo(page, 200)).toEqual([200, 200]);
});

test("scrolling a recording: loads lazy images first, also those in shadow roots", async () => {
  const image = (id: string) => `<img id="${id}" loading="lazy" src="/${id}.svg">`;
  const requested: string[] = [];
  const html = `<!doctype html><div style="height:20000px"></div>${image("far")}
    <x-card><template shadowrootmode="open">${image("farther")}</template></x-card>`;
  await using page = await openPage(({ url = "" }, answer) => {
    requested.push(url);
    const isImage = url.endsWith(".svg");
    answer.setHeader("content-type", isImage ? "image/svg+xml" : "text/html");
    answer.end(isImage ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : html);
  });
  expect(requested.filter((url) => url.endsWith(".svg"))).toEqual([]);
  await evaluateInIsolatedWorld(page.capturing, loadEagerlyInPage);
  await expect.poll(() => requested.filter((url) => url.endsWith(".svg")).sort()).toEqual(["/far.svg", "/farther.svg"]);
});
