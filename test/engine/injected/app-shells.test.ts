// Full pages and PDFs of applications whose content scrolls in place of the page: in open shadow roots, and in several panes.
import { describe, expect, test } from "vitest";
import { expandScrollersInPage, renderSkippedContentInPage } from "../../../lib/engine/formats/expand-frames.ts";
import { evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import {
  BAND,
  BANDED_WINDOW,
  bandColours,
  bandedPage,
  bands,
  bandsAt,
  bandTexts,
  fullPageOf,
  printedText,
} from "../../support/banded-page.ts";
import { openPage } from "../../support/open-page.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

const BLUE = [0, 0, 255];
const RED = [255, 0, 0];
const GREEN = [0, 128, 0];
const HEAD = 50;
const BAND_STYLE = `<style>.band{height:${BAND}px} header{height:${HEAD}px;background:blue;flex:none} footer{height:${HEAD}px;background:red;flex:none}</style>`;

/** Counts what scrolls down in the document and in its open shadow roots. */
const COUNT_SCROLLING = `(function count(root) {
  return [...root.querySelectorAll("*")].reduce((sum, element) => {
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    return sum + Number(isScroller) + (element.shadowRoot ? count(element.shadowRoot) : 0);
  }, 0);
})(document)`;

/** Expands what scrolls in place of a page, as for a PDF. */
async function expanded(html: string) {
  await using opened = await openPage(html, { window: BANDED_WINDOW });
  const { capturing } = opened;
  const countScrolling = async () =>
    (await capturing.session.cdp.send("Runtime.evaluate", { expression: COUNT_SCROLLING })).result.value;
  const scrollingBefore = await countScrolling();
  await evaluateInIsolatedWorld(capturing, renderSkippedContentInPage);
  const { scrollers } = await evaluateInIsolatedWorld(capturing, expandScrollersInPage);
  return { scrollingBefore, results: scrollers.map(({ result }) => result), scrollingAfter: await countScrolling() };
}

const inRoot = (content: string) => `<template shadowrootmode="open">${BAND_STYLE}${content}</template>`;

const SHELL_BANDS = 4;

const shadowShells = {
  "a scroller in the root of a host that is as tall as the window": bandedPage(
    "html, body { height: 100% }",
    `<x-app>${inRoot(
      `<style>:host{display:flex;flex-direction:column;height:100vh}main{flex:1;overflow:auto}</style>
      <header></header><main>${bands(SHELL_BANDS)}</main>`,
    )}</x-app>`,
  ),
  "absolute boxes with size containment and slotted content, as Ionic builds pages": bandedPage(
    `html, body { height: 100%; overflow: hidden } body { position: fixed; width: 100% }
      x-app { display: block; position: absolute; inset: 0; overflow: hidden; contain: layout size style }
      .page { position: absolute; inset: 0; display: flex; flex-direction: column; contain: layout size style; overflow: hidden }
      header { height: ${HEAD}px; background: blue }
      x-content { display: block; position: relative; flex: 1; width: 100%; contain: size style }`,
    `<x-app><x-outlet>${inRoot("<style>:host{position:absolute;inset:0;contain:size layout style;overflow:hidden}</style><slot></slot>")}
      <div class="page"><header></header>
      <x-content>${inRoot("<style>main{position:absolute;inset:0;overflow-y:auto}</style><main><slot></slot></main>")}${bands(SHELL_BANDS)}</x-content>
      </div></x-outlet></x-app>`,
  ),
  "a slotted scroller in a grid of a root within another root, as component libraries build layouts": bandedPage(
    "html, body { height: 100% }",
    `<x-app>${inRoot(
      `<style>:host,x-layout{display:block;height:100%}main{height:100%;overflow:auto}</style>
      <x-layout>${inRoot(
        `<style>:host{display:grid!important;grid-template-rows:auto minmax(0,1fr)}section{min-height:0;overflow:hidden}</style>
        <header></header><section><slot></slot></section>`,
      )}<main>${bands(SHELL_BANDS)}</main></x-layout>`,
    )}</x-app>`,
  ),
};

describe.each(Object.entries(shadowShells))("an application in shadow roots: %s", (_, html) => {
  sampled(test, 4).each(["default", "by_sections"])(
    "full_page shows all of its content, %s",
    async (full_page_algorithm) => {
      const image = await fullPageOf({ html, full_page_algorithm });
      expect(image.height).toBe(HEAD + SHELL_BANDS * BAND);
      expect(image.colourAt(200, 20)).toEqual(BLUE);
      expect(bandsAt(image, 200, { count: SHELL_BANDS, top: HEAD })).toEqual(bandColours(SHELL_BANDS));
      expect(image.warnings).toEqual([]);
    },
  );

  test("all of its scrollers are expanded for a PDF", async () => {
    expect(await expanded(html)).toEqual({ scrollingBefore: 1, results: ["expanded"], scrollingAfter: 0 });
  });

  slowTest("a PDF prints all of its content", async () => {
    const text = await printedText({ html });
    expect(bandTexts(SHELL_BANDS).filter((band) => !text.includes(band))).toEqual([]);
  });
});

const closedShells = {
  "its own content": ["", bands(SHELL_BANDS)],
  "slotted content": [bands(SHELL_BANDS), "<slot></slot>"],
} as const;

slowTest.each(Object.entries(closedShells))(
  "an application in a closed shadow root shows all of %s",
  async (_, [slotted, content]) => {
    const html = bandedPage(
      "html, body { height: 100% }",
      `<x-app><template shadowrootmode="closed">${BAND_STYLE}
     <style>:host{display:flex;flex-direction:column;height:100vh}main{flex:1;overflow:auto}</style>
     <header></header><main>${content}</main></template>${slotted}</x-app>`,
    );
    const image = await fullPageOf({ html });
    expect(image.height).toBe(HEAD + SHELL_BANDS * BAND);
    expect(image.colourAt(200, 20)).toEqual(BLUE);
    expect(bandsAt(image, 200, { count: SHELL_BANDS, top: HEAD })).toEqual(bandColours(SHELL_BANDS));
  },
);

test("a locked body shows what a shadow root has below the window", async () => {
  const html = bandedPage("html, body { height: 100%; overflow: hidden }", `<x-app>${inRoot(bands(6))}</x-app>`);
  const image = await fullPageOf({ html });
  expect(bandsAt(image, 200, { count: 6 })).toEqual(bandColours(6));
});

const list = (count: number, from: number) =>
  `<div class="list"><header></header><div>${bands(count, from)}</div></div>`;
const BOARD = `html, body { height: 100% } header { flex: none; height: ${HEAD}px; background: blue }
  .board { display: flex; align-items: flex-start; gap: 10px; height: 100% }
  .list { display: flex; flex-direction: column; width: 120px; flex: none; max-height: 100% }
  .list > div { overflow-y: auto; min-height: 0 }`;

interface Panes {
  readonly html: string;
  readonly height: number;
  /** Where each pane begins, and which bands it has. */
  readonly panes: readonly {
    readonly x: number;
    readonly top: number;
    readonly count: number;
    readonly from: number;
  }[];
}

const panes: Readonly<Record<string, Panes>> = {
  "a list and what is read, in a grid": {
    html: bandedPage(
      "body { height: 100vh; display: grid; grid-template-columns: 140px 1fr } aside, main { overflow: auto; height: 100vh }",
      `<aside>${bands(6)}</aside><main>${bands(4, 20)}</main>`,
    ),
    height: 6 * BAND,
    panes: [
      { x: 100, top: 0, count: 6, from: 0 },
      { x: 300, top: 0, count: 4, from: 20 },
    ],
  },
  "three panes, one below a bar and one absolute": {
    html: bandedPage(
      `main { display: flex; height: 100vh } nav { width: 100px; overflow-y: auto }
       .mails { width: 140px; display: flex; flex-direction: column } header { height: ${HEAD}px; background: blue; flex: none }
       .mails > div { flex: 1; overflow-y: auto; min-height: 0 }
       .mail { flex: 1; position: relative } .mail > div { position: absolute; inset: 0; overflow: auto }`,
      `<main><nav>${bands(4)}</nav><div class="mails"><header></header><div>${bands(6, 10)}</div></div>
       <div class="mail"><div>${bands(5, 30)}</div></div></main>`,
    ),
    height: HEAD + 6 * BAND,
    panes: [
      { x: 50, top: 0, count: 4, from: 0 },
      { x: 200, top: HEAD, count: 6, from: 10 },
      { x: 300, top: 0, count: 5, from: 30 },
    ],
  },
  "the columns of a board": {
    html: bandedPage(BOARD, `<div class="board">${list(5, 0)}${list(1, 10)}${list(6, 20)}</div>`),
    height: HEAD + 6 * BAND,
    panes: [
      { x: 60, top: HEAD, count: 5, from: 0 },
      { x: 190, top: HEAD, count: 1, from: 10 },
      { x: 320, top: HEAD, count: 6, from: 20 },
    ],
  },
  "panes in shadow roots": {
    html: bandedPage(
      "x-split { display: flex; height: 100vh } x-pane { flex: 1 }",
      `<x-split>${[bands(6), bands(4, 10)]
        .map(
          (content) =>
            `<x-pane>${inRoot(`<style>div.scroll{height:100%;overflow:auto}</style><div class="scroll">${content}</div>`)}</x-pane>`,
        )
        .join("")}</x-split>`,
    ),
    height: 6 * BAND,
    panes: [
      { x: 150, top: 0, count: 6, from: 0 },
      { x: 350, top: 0, count: 4, from: 10 },
    ],
  },
};

describe.each(Object.entries(panes))("panes that scroll side by side: %s", (_, { html, height, panes }) => {
  sampled(test, 4).each(["default", "by_sections"])(
    "full_page shows each of them whole, %s",
    async (full_page_algorithm) => {
      const image = await fullPageOf({ html, full_page_algorithm });
      expect(image.height).toBe(height);
      for (const { x, top, count, from } of panes) {
        expect(bandsAt(image, x, { count, top })).toEqual(bandColours(count, from));
      }
      expect(image.warnings).toEqual([]);
    },
  );

  test("each of them is expanded for a PDF", async () => {
    const { scrollingBefore, results, scrollingAfter } = await expanded(html);
    expect(scrollingBefore).toBe(panes.filter(({ count }) => count > 3).length);
    expect(results).toEqual(results.map(() => "expanded"));
    expect(scrollingAfter).toBe(0);
  });

  slowTest("a PDF prints each of them whole", async () => {
    const text = await printedText({ html });
    const texts = panes.flatMap(({ count, from }) => bandTexts(count, from));
    expect(texts.filter((band) => !text.includes(band))).toEqual([]);
  });
});

describe("panes that scroll side by side", () => {
  test("one that ends early goes on in its background, with what is below it at the end", async () => {
    const html = bandedPage(
      `html, body { height: 100% } body { display: flex } div { overflow: auto } .short { flex: 1; background: rgb(0, 128, 0) }
       section { flex: 1; display: flex; flex-direction: column } .long { flex: 1 } footer { height: ${HEAD}px; background: red; flex: none }`,
      `<section><div class="short">${bands(4)}</div><footer></footer></section><div class="long">${bands(7, 10)}</div>`,
    );
    const image = await fullPageOf({ html });
    expect(image.height).toBe(7 * BAND);
    expect(bandsAt(image, 100, { count: 4 })).toEqual(bandColours(4));
    expect([image.colourAt(100, 420), image.colourAt(100, 620)]).toEqual([GREEN, GREEN]);
    expect([image.colourAt(100, 680), image.countInColumn(100, RED)]).toEqual([RED, HEAD]);
    expect(bandsAt(image, 300, { count: 7 })).toEqual(bandColours(7, 10));
  });

  test("a board that is wider than the window has a warning", async () => {
    const html = bandedPage(
      `${BOARD} .board { overflow-x: auto }`,
      `<div class="board">${list(5, 0)}${list(4, 10)}${list(6, 20)}${list(4, 30)}</div>`,
    );
    const image = await fullPageOf({ html });
    expect(image.height).toBe(HEAD + 6 * BAND);
    expect(image.warnings).toEqual([
      "The page scrolls 'div.board' sideways: the capture shows 400 of its 510 pixels. A larger viewport_width shows more.",
    ]);
  });

  test("lazy content loads in each of them", async () => {
    const lazy = (colour: string) =>
      `<div style="height:${5 * BAND}px"></div><div class="band lazy" data-colour="${colour}"></div>`;
    const html = bandedPage(
      "body { display: flex; height: 100vh } div.pane { flex: 1; overflow: auto }",
      `<div class="pane">${lazy("red")}</div><div class="pane">${lazy("blue")}</div><script>
        const observer = new IntersectionObserver((entries) => {
          for (const { target, isIntersecting } of entries) if (isIntersecting) target.style.background = target.dataset.colour;
        });
        for (const element of document.querySelectorAll(".lazy")) observer.observe(element);
      </script>`,
    );
    const image = await fullPageOf({ html });
    expect(image.height).toBe(6 * BAND);
    expect([image.colourAt(100, 550), image.colourAt(300, 550)]).toEqual([RED, BLUE]);
  });

  test("a small scroller alone stays as the window shows it, in a page that is shorter than that", async () => {
    const html = bandedPage(
      "aside { position: absolute; right: 0; bottom: 0; width: 110px; height: 200px; overflow: auto }",
      `<p>An article.</p><aside>${bands(9)}</aside>`,
    );
    expect((await fullPageOf({ html })).height).toBe(BANDED_WINDOW.height);
  });
});

test("a scroller whose content is revealed in view is no virtualized list", async () => {
  const box = `<div class="reveal"><div class="band" style="background:red">text</div></div>`;
  const html = bandedPage(
    "main { height: 100vh; overflow: auto } .reveal > div { opacity: 0; transition: opacity .1s } .shown > div { opacity: 1 }",
    `<main>${box.repeat(5)}</main><script>
      const observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) target.classList.toggle("shown", isIntersecting);
      });
      for (const element of document.querySelectorAll(".reveal")) observer.observe(element);
    </script>`,
  );
  const image = await fullPageOf({ html });
  expect([image.height, image.countInColumn(200, RED)]).toEqual([5 * BAND, 5 * BAND]);
  expect(image.warnings).toEqual([]);
});

describe("the backdrop of a modal dialog covers the whole page", () => {
  const dialog = `<style>dialog { width: 100px; height: 60px; padding: 0; outline: 0; border: 0; background: blue } dialog::backdrop { background: red }</style>
    <dialog></dialog>`;
  const show = (root: string) => `<script>${root}.querySelector("dialog").showModal()</script>`;

  sampled(test, 12).each([
    ["that scrolls", bandedPage("", `${bands(5)}${dialog}${show("document")}`)],
    [
      "with the dialog in a shadow root",
      bandedPage(
        "",
        `${bands(5)}<x-dialog>${inRoot(dialog)}</x-dialog>${show('document.querySelector("x-dialog").shadowRoot')}`,
      ),
    ],
    [
      "whose content scrolls in its place",
      bandedPage("main { height: 100vh; overflow: auto }", `<main>${bands(5)}</main>${dialog}${show("document")}`),
    ],
  ])("%s", async (_, html) => {
    const image = await fullPageOf({ html });
    expect(image.height).toBe(5 * BAND);
    expect([image.countInColumn(10, RED), image.countInColumn(200, BLUE)]).toEqual([5 * BAND, 60]);
  });
});
