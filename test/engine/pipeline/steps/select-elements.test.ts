// Captures of elements, wherever they are on the page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { APP_SHELL, isLazyInAppShell } from "../../../fixtures/site-pages/app-shell.ts";
import { COOKIE_WALL, STICKY } from "../../../fixtures/site-pages/fixed-elements.ts";
import { TILE_HEIGHT, tileColour } from "../../../fixtures/site-pages/lazy.ts";
import { HERO } from "../../../fixtures/site-pages/viewport.ts";
import { BAND_HEIGHT, BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { type OpenPage, openPage } from "../../../support/open-page.ts";
import { type RunStepSettings, runStep } from "../../../support/run-step.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { type Options, sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf } = startSmallCaptures();

const html = (style: string, body: string) => `<!doctype html><style>body{margin:0} ${style}</style>${body}`;

const red = "background:red;width:50px;height:40px";

const viewport = { width: 400, height: 300 };

/** A page that is not captured. */
let opened: OpenPage;
beforeAll(async () => {
  opened = await openPage("<!doctype html>", { window: viewport });
});
afterAll(() => opened[Symbol.asyncDispose]());

/** What the step selects on the page, which shows this document: the area of the image, and the warnings. */
async function selectOn(page: string, options: Options, settings?: RunStepSettings) {
  const { cdp } = opened.capturing.session;
  const { frameTree } = await cdp.send("Page.getFrameTree");
  await cdp.send("Page.setDocumentContent", { frameId: frameTree.frame.id, html: page });
  return await runStep(opened.capturing, "select-elements", { selector_algorithm: "clip", ...options }, settings);
}

async function areaOn(page: string, options: Options) {
  return (await selectOn(page, options)).area;
}

describe("selector", () => {
  test("captures the element's box and nothing around it", async () => {
    const image = await imageOf("/box", { selector: "#box" });
    expect(sizeOf(image)).toEqual([BOX.width, BOX.height]);
    expect([image.colourAt(0, 0), image.colourAt(BOX.width - 1, BOX.height - 1)]).toEqual([RED, RED]);
  });

  test("captures an element below the window", async () => {
    const image = await imageOf("/bands?count=8", { selector: "#band-6", device_scale_factor: 2 });
    expect(sizeOf(image)).toEqual([800, 2 * BAND_HEIGHT]);
    expect([image.colourAt(0, 0), image.colourAt(799, 199)]).toEqual([bandColour(6), bandColour(6)]);
  });

  test("captures an element larger than the window", async () => {
    const image = await imageOf(html("", `<main id="all" style="width:500px;height:400px;background:green">`), {
      selector: "#all",
    });
    expect(sizeOf(image)).toEqual([500, 400]);
    expect([image.colourAt(0, 0), image.colourAt(499, 399)]).toEqual([GREEN, GREEN]);
  });

  test("waits for an element that appears late", async () => {
    const image = await imageOf("/late-element?after=600", { selector: "#late" });
    expect(sizeOf(image)).toEqual([BOX.width, BOX.height]);
    expect(image.colourAt(0, 0)).toEqual(GREEN);
  });

  test.each([
    [
      "of fractions, with all of its edges",
      "position:absolute;left:10.4px;top:20.6px;width:50.3px;height:40.5px;background:red",
      { x: 10, y: 20, width: 51, height: 42 },
    ],
    ["far to the right", `margin-left:1500px;${red}`, { x: 1500, y: 0, width: 50, height: 40 }],
    ["that is turned", `margin:50px;transform:rotate(90deg);${red}`, { x: 55, y: 45, width: 40, height: 50 }],
    ["that is fixed", `position:fixed;bottom:0;right:0;${red}`, { x: 350, y: 260, width: 50, height: 40 }],
  ])("selects the area of an element %s", async (_, style, area) => {
    expect(await areaOn(html("", `<div id="e" style="${style}"></div>`), { selector: "#e" })).toEqual(area);
  });

  slowTest.each([
    ["that is fixed", `position:fixed;bottom:0;right:0;${red}`, [50, 40]],
    ["that is turned", `margin:50px;transform:rotate(90deg);${red}`, [40, 50]],
    ["far to the right", `margin-left:1500px;${red}`, [50, 40]],
    [
      "of fractions, with all of its edges",
      "position:absolute;left:10.4px;top:20.6px;width:50.3px;height:40.5px;background:red",
      [51, 42],
    ],
  ])("captures an element %s", async (_, style, size) => {
    const image = await imageOf(html("", `<div id="e" style="${style}"></div>`), { selector: "#e" });
    expect(sizeOf(image)).toEqual(size);
    expect(image.colourAt(20, 20)).toEqual(RED);
  });

  test.each([
    [
      "inside of an SVG",
      `<svg width="200" height="200"><rect id="e" x="40" y="30" width="50" height="40" fill="red"/></svg>`,
      [40, 30],
    ],
    [
      "that has no box but contents with one",
      `<div id="e" style="display:contents"><div style="${red}"></div></div>`,
      [0, 0],
    ],
    ["around what floats", `<div id="e"><div style="float:left;${red}"></div></div>`, [0, 0]],
    [
      "that is the first visible one",
      `<b id="e" hidden></b><b id="e" style="display:block;width:0;height:0"></b><p id="e" style="margin:20px;${red}">`,
      [20, 20],
    ],
    [
      "that is not collapsed",
      `<div id="e" style="height:0;overflow:hidden"><div style="${red}"></div></div><div id="e" style="${red}"></div>`,
      [0, 0],
    ],
  ])("selects the area of an element %s", async (_, body, [x, y]) => {
    expect(await areaOn(html("", body), { selector: "#e" })).toEqual({ x, y, width: 50, height: 40 });
  });

  slowTest("captures an element that lies to the left of where a page from right to left begins", async () => {
    const row = `<div style="width:800px;height:50px;background:green"><div id="e" style="position:relative;right:700px;${red}"></div></div>`;
    const image = await imageOf(`<!doctype html><html dir="rtl"><style>body{margin:0}</style>${row}`, {
      selector: "#e",
    });
    expect(sizeOf(image)).toEqual([50, 40]);
    expect([image.colourAt(0, 0), image.colourAt(49, 39)]).toEqual([RED, RED]);
  });

  sampled(test, 12).each([["observer"], ["native"], ["scroll"]])("loads lazy images in the element: %s", async (by) => {
    const image = await imageOf(`/lazy-gallery?count=12&by=${by}`, { selector: "div:nth-of-type(11)" });
    expect(image.columnColours(200, TILE_HEIGHT)).toEqual([tileColour(10)]);
  });

  sampled(test, 12).each([["native"], ["observer"], ["scroll"]])(
    "loads all lazy images of a tall element: %s",
    async (by) => {
      const image = await imageOf(`/lazy-gallery?count=5&by=${by}`, { selector: "body" });
      expect(image.columnColours(200, TILE_HEIGHT)).toEqual(Array.from({ length: 5 }, (_, n) => tileColour(n)));
    },
  );

  sampled(test, 4).each([
    ["#band-15", 1],
    ["section:nth-of-type(2)", 10],
  ])("does not show fixed elements over %s", async (selector, count) => {
    const image = await imageOf("/sticky-header", { selector });
    expect(image.height).toBe(count * BAND_HEIGHT);
    expect(image.countInColumn(20, STICKY.header.colour)).toBe(0);
    expect(image.countInColumn(20, STICKY.bottomBar.colour)).toBe(0);
    expect(image.columnColours(20, BAND_HEIGHT, 75).at(-1)).toEqual(bandColour(count === 1 ? 15 : 19));
  });

  test("does not show a dialog over the element", async () => {
    const image = await imageOf("/cookie-wall", { selector: "#band-1" });
    expect([image.colourAt(20, 50), image.colourAt(200, 50)]).toEqual([bandColour(1), bandColour(1)]);
  });

  test("captures the dialog itself", async () => {
    const image = await imageOf("/cookie-wall", { selector: "#dialog" });
    expect(sizeOf(image)).toEqual([COOKIE_WALL.width, COOKIE_WALL.height]);
    expect(image.colourAt(5, 5)).toEqual(COOKIE_WALL.colour);
  });

  sampled(test, 12).each([["flex"], ["fixed"], ["grid"]])(
    "shows an element that must be scrolled to within the %s layout",
    async (layout) => {
      const image = await imageOf(`/app-shell?layout=${layout}`, { selector: "#band-29" });
      expect(isLazyInAppShell(29)).toBe(true);
      expect(sizeOf(image)).toEqual([400 - APP_SHELL.sidebar.width, BAND_HEIGHT]);
      expect([image.colourAt(10, 0), image.colourAt(10, 99)]).toEqual([bandColour(29), bandColour(29)]);
    },
  );

  test("shows an element that is taller than the part of the page it scrolls in", async () => {
    const items = Array.from(
      { length: 8 },
      (_, n) => `<div style="height:100px;background:rgb(${bandColour(n)})"></div>`,
    );
    const page = html(
      "#box { height: 150px; overflow: auto } #before { height: 500px }",
      `<div id="before"></div><div id="box"><div id="before"></div><div id="e">${items.join("")}</div></div>`,
    );
    const image = await imageOf(page, { selector: "#e" });
    expect(image.columnColours(50, 100)).toEqual(Array.from({ length: 8 }, (_, n) => bandColour(n)));
  });

  const outside = (where: string) => ({
    code: "SELECTOR_NOT_FOUND",
    message: expect.stringMatching(/Move it into the page with 'styles'/),
    details: { selector: [`the element that matches '#e' is entirely ${where} the page`] },
  });
  const placed = (place: string) => html("", `<p>Text</p><div id="e" style="position:absolute;${red};${place}"></div>`);

  test.each([
    ["to the left of", "left:-9999px;top:10px"],
    ["above", "left:10px;top:-9999px"],
    ["outside of", "position:fixed;left:5000px;top:10px"],
  ])("fails at once when the element is entirely %s the page", async (where, place) => {
    expect(await failureOf(selectOn(placed(place), { selector: "#e" }))).toMatchObject(outside(where));
  });

  sampled(test, 4).each([
    ["to the left of", "left:-9999px;top:10px", { on_timeout: "capture" }],
    ["above", "left:10px;top:-9999px", { format: "png" }],
    ["to the left of", "left:-9999px;top:10px", { format: "gif", video_duration: 1 }],
    ["outside of", "position:fixed;left:5000px;top:10px", { format: "png" }],
  ])("fails the capture when the element is entirely %s the page (%s, %j)", async (where, place, options) => {
    expect(await failureOf(captureOf(placed(place), { selector: "#e", ...options }))).toMatchObject(outside(where));
  });

  test("captures an element that the caller's styles moved into the page", async () => {
    const page = html("", `<div id="e" style="position:absolute;left:-9999px;${red}"></div>`);
    const image = await imageOf(page, { selector: "#e", styles: "#e { left: 20px !important }" });
    expect([sizeOf(image), image.colourAt(20, 20)]).toEqual([[50, 40], RED]);
  });

  slowTest("works on a page that replaced document.querySelectorAll", async () => {
    const page = html("", `<div id="e" style="${red}"></div><script>document.querySelectorAll = () => []</script>`);
    expect(sizeOf(await imageOf(page, { selector: "#e" }))).toEqual([50, 40]);
  });

  slowTest("does not change the window that the page sees", async () => {
    for (const selector of ["#marker", "body"]) {
      const image = await imageOf("/hero", { selector });
      expect(image.colourAt(HERO.marker.x + 10, HERO.marker.y + 10)).toEqual(GREEN);
    }
  });
});

describe("selector_padding", () => {
  test("adds the surroundings of the element on each side", async () => {
    const image = await imageOf("/box", { selector: "#box", selector_padding: 10 });
    expect(sizeOf(image)).toEqual([BOX.width + 20, BOX.height + 20]);
    expect([image.colourAt(9, 9), image.colourAt(10, 10)]).toEqual([WHITE, RED]);
    expect([image.colourAt(BOX.width + 9, BOX.height + 9), image.colourAt(BOX.width + 10, 30)]).toEqual([RED, WHITE]);
  });

  slowTest("ends at the page's top and left", async () => {
    const image = await imageOf("/box", { selector: "#box", selector_padding: 100 });
    expect(sizeOf(image)).toEqual([BOX.x + BOX.width + 100, BOX.y + BOX.height + 100]);
    expect(image.colourAt(BOX.x + 5, BOX.y + 5)).toEqual(RED);
  });
});

describe("selector_all", () => {
  test("captures the smallest rectangle around all that match", async () => {
    const image = await imageOf("/bands?count=7", { selector_all: "#band-3, #band-5" });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([3, 4, 5].map(bandColour));
  });

  test("selects the smallest rectangle around all that match, with selector_padding around it", async () => {
    const boxes = [10, 200].map((y) => `<b class="e" style="position:absolute;left:${y}px;top:${y}px;${red}"></b>`);
    const page = html("", boxes.join(""));
    expect(await areaOn(page, { selector_all: ".e", selector_padding: 20 })).toEqual({
      x: 0,
      y: 0,
      width: 270,
      height: 260,
    });
  });

  slowTest("works with selector_padding", async () => {
    const image = await imageOf("/bands", { selector_all: "#band-3, #band-5", selector_padding: 50 });
    expect(image.columnColours(200, 50, 25)).toEqual([2, 3, 3, 4, 4, 5, 5, 6].map(bandColour));
  });

  slowTest("loads the lazy images of all elements", async () => {
    const image = await imageOf("/lazy-gallery?by=scroll&count=12", { selector_all: "div:nth-of-type(n + 4)" });
    expect(image.columnColours(200, TILE_HEIGHT)).toEqual(Array.from({ length: 9 }, (_, n) => tileColour(n + 3)));
  });

  slowTest("shows all of a list that scrolls within the page", async () => {
    const image = await imageOf("/app-shell?layout=fixed", { selector_all: "main div" });
    const all = Array.from({ length: APP_SHELL.bands }, (_, n) => bandColour(n));
    expect(image.columnColours(100, BAND_HEIGHT)).toEqual(all);
  });
});

describe("selector_algorithm and selector_scroll_into_view", () => {
  const late = "/lazy-gallery?by=scroll&count=12";
  const selector = "div:nth-of-type(11)";

  sampled(test, 8).each([
    ["clip, leaves what only loads in view as it is", { selector_algorithm: "clip" }, false],
    ["off, too", { selector_scroll_into_view: false }, false],
    ["clip with scrolling into view, loads it", { selector_algorithm: "clip", selector_scroll_into_view: true }, true],
    ["default, loads it", { selector_algorithm: "default" }, true],
  ])("%s", async (_, options, isLoaded) => {
    const image = await imageOf(late, { selector, ...options });
    expect(String(image.colourAt(200, 100)) === String(tileColour(10))).toBe(isLoaded);
  });
});

describe("error_on_selector_not_found", () => {
  test("true: fails without the element", async () => {
    const failure = failureOf(selectOn("<p>Text", { selector: "#missing" }, { leftS: 1 }));
    expect(await failure).toMatchObject({ code: "SELECTOR_NOT_FOUND" });
  });

  const warning = "No visible element matched the selector '#missing'; the image shows the window.";

  test.each([["selector"], ["selector_all"]])(
    "false: selects the window without %s, with a warning",
    async (option) => {
      const options = { [option]: "#missing", error_on_selector_not_found: false };
      const { area, warnings } = await selectOn("<p>Text", options, { leftS: 1 });
      expect([area, warnings]).toEqual([{ x: 0, y: 0, ...viewport }, [warning]]);
    },
  );

  slowTest.each([["selector"], ["selector_all"]])(
    "false: captures the window without %s, with a warning",
    async (option) => {
      const options = { [option]: "#missing", error_on_selector_not_found: false, timeout: 20 };
      const { body, warnings } = await captureOf("/box", options);
      expect(sizeOf(await decode(body))).toEqual([400, 300]);
      expect(warnings).toEqual([warning]);
    },
  );
});

describe("an element of opacity 0 causes a warning:", () => {
  const page = (style: string, styles = "") =>
    html(styles, `<main style="${style}"><p id="it" style="width:90px;height:90px;background:red"></p></main>`);
  const warning =
    "The element that matches the selector 'p' is invisible: its opacity or that of an ancestor is 0. Set its opacity with 'styles'.";

  test.each<[string, string, Options]>([
    ["its own", "#it{opacity:0}", { selector: "p" }],
    ["that of an element around it", "main{opacity:0}", { selector: "p" }],
    ["all of several", "main{opacity:0}", { selector_all: "p" }],
  ])("%s", async (_, styles, options) => {
    expect((await selectOn(page("", styles), options)).warnings).toEqual([warning]);
  });

  slowTest.each<[string, string, Options]>([
    ["its own, by a style of the caller", "", { selector: "p", styles: "p{opacity:0}" }],
    ["in a pdf", "opacity:0", { selector: "p", format: "pdf" }],
    ["in a video", "opacity:0", { selector: "p", format: "gif", video_duration: 1, video_fps: 5 }],
  ])("%s", async (_, style, options) => {
    expect((await captureOf(page(style), options)).warnings).toContain(warning);
  });

  test("no warning for an element hardly seen", async () => {
    expect((await selectOn(page("opacity:0.01"), { selector: "p" })).warnings).toEqual([]);
  });

  test("no warning for an element that has faded in", async () => {
    const styles = "main{animation:a 1s both} @keyframes a{from{opacity:0}to{opacity:1}}";
    expect((await captureOf(page(""), { selector: "p", styles })).warnings).toEqual([]);
  });
});

describe("selectors of elements without a box, and of hidden ones", () => {
  const contents = "#a{display:contents} p{margin:0;height:20px;background:green}";

  test.each<[string, string, Options]>([
    ["an element without a box is its content", html(contents, "<div id=a><p>1<p>2</div>"), { selector: "#a" }],
    [
      "one in another without a box",
      html(`${contents} #b{display:contents}`, "<div id=b><div id=a><p>1<p>2</div></div>"),
      { selector: "#a" },
    ],
    [
      "all of several without a box",
      html(
        ".a{display:contents} p{margin:0;height:20px;background:green}",
        "<i class=a><p>1</p></i><i class=a><p>2</p></i>",
      ),
      { selector_all: ".a" },
    ],
  ])("%s", async (_, page, options) => {
    const { area, warnings } = await selectOn(page, options);
    expect([area, warnings]).toEqual([{ x: 0, y: 0, width: 400, height: 40 }, []]);
  });

  test.each([
    ["in closed details", "<details><summary>more</summary><p id=a>inside</details><p>next"],
    [
      "without a box in closed details",
      "<details><summary>more</summary><div id=a style='display:contents'><p>in</div></details>",
    ],
    ["hidden until it is found", "<div hidden=until-found><p id=a>inside</div><p>next"],
    ["in content that is not rendered", "<div style='content-visibility:hidden'><p id=a>inside</div>"],
  ])("an element %s is not found", async (_, body) => {
    expect(await failureOf(selectOn(html("", body), { selector: "#a" }, { leftS: 0.4 }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message: expect.stringContaining("hidden"),
    });
  });

  test("the summary of closed details is found", async () => {
    const page = html("", "<details><summary id=a style='height:30px'>more</summary>x</details>");
    expect(await areaOn(page, { selector: "#a" })).toMatchObject({ height: 30 });
  });
});

describe("selector_all in a box that clips", () => {
  const item = "flex:none;width:300px;height:100px;background:green";
  const row = (style: string) =>
    html(
      `body{background:white} .row{display:flex;width:310px;${style}} .row b{${item}}`,
      `<div class=row>${"<b></b>".repeat(4)}</div>`,
    );

  test.each([
    ["scrolls sideways", row("overflow-x:auto"), 310],
    ["cuts off its slides", row("overflow:hidden"), 310],
    ["shows all of them", row(""), 1200],
  ])("shows what is seen of the elements: it %s", async (_, page, width) => {
    expect(await areaOn(page, { selector_all: ".row b" })).toEqual({ x: 0, y: 0, width, height: 100 });
  });

  test("leaves out elements that are cut away", async () => {
    const page = html(
      ".row{height:100px;overflow:clip;width:200px} b{display:block;height:100px;background:green}",
      `<div class=row><b></b><b></b></div>`,
    );
    expect(await areaOn(page, { selector_all: "b" })).toEqual({ x: 0, y: 0, width: 200, height: 100 });
  });

  test("does not cut a positioned element that is outside of the box that clips", async () => {
    const page = html(
      ".row{overflow:hidden;width:50px;height:50px} b{position:absolute;left:0;top:0;width:200px;height:100px;background:green}",
      `<div class=row><b></b></div>`,
    );
    expect(await areaOn(page, { selector: "b" })).toEqual({ x: 0, y: 0, width: 200, height: 100 });
  });
});

describe("selectors in open shadow roots", () => {
  const root = (inner: string) =>
    `<template shadowrootmode="open"><style>b{display:block;height:50px;background:green}</style>${inner}</template>`;
  const nested = `<x-a>${root(`<b></b><x-b>${root("<b class=in></b>")}</x-b>`)}</x-a>`;

  test.each<[string, Options, number, number]>([
    ["selector", { selector: ".in" }, 50, 50],
    ["selector_all", { selector_all: "b" }, 0, 100],
  ])("%s", async (_, options, y, height) => {
    expect(await areaOn(html("", nested), options)).toEqual({ x: 0, y, width: 400, height });
  });

  slowTest("are captured", async () => {
    const image = await imageOf(html("", nested), { selector_all: "b" });
    expect([sizeOf(image), image.colourAt(200, 99)]).toEqual([[400, 100], GREEN]);
  });

  test("an element of the document is preferred", async () => {
    const page = html("", `${nested}<b style="display:block;height:20px"></b>`);
    expect(await areaOn(page, { selector: "b" })).toMatchObject({ height: 20 });
  });
});

slowTest(
  "simultaneous captures do not share state",
  async () => {
    const bands = [3, 8, 13, 18, 23, 28];
    const images = await Promise.all(
      bands.map((band, n) => imageOf("/bands", { selector: `#band-${band}`, viewport_width: 100 + n })),
    );
    expect(images.map(({ width, colourAt }) => [width, colourAt(50, 50)])).toEqual(
      bands.map((band, n) => [100 + n, bandColour(band)]),
    );
  },
  30_000,
);
