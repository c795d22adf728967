// Captures of elements, wherever they are on the page.
import { describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { APP_SHELL, isLazyInAppShell } from "../../../fixtures/site-pages/app-shell.ts";
import { COOKIE_WALL, STICKY } from "../../../fixtures/site-pages/fixed-elements.ts";
import { TILE_HEIGHT, tileColour } from "../../../fixtures/site-pages/lazy.ts";
import { HERO } from "../../../fixtures/site-pages/viewport.ts";
import { BAND_HEIGHT, BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf } = startSmallCaptures();

const html = (style: string, body: string) => `<!doctype html><style>body{margin:0} ${style}</style>${body}`;

describe("selector", () => {
  test("captures the element's box and nothing around it", async () => {
    const image = await imageOf("/box", { selector: "#box" });
    expect(sizeOf(image)).toEqual([BOX.width, BOX.height]);
    expect([image.colourAt(0, 0), image.colourAt(BOX.width - 1, BOX.height - 1)]).toEqual([RED, RED]);
  });

  test("captures an element below the window", async () => {
    const image = await imageOf("/bands", { selector: "#band-25", device_scale_factor: 2 });
    expect(sizeOf(image)).toEqual([800, 2 * BAND_HEIGHT]);
    expect([image.colourAt(0, 0), image.colourAt(799, 199)]).toEqual([bandColour(25), bandColour(25)]);
  });

  test("captures an element larger than the window", async () => {
    const image = await imageOf(html("", `<main id="all" style="width:900px;height:700px;background:green">`), {
      selector: "#all",
    });
    expect(sizeOf(image)).toEqual([900, 700]);
    expect([image.colourAt(0, 0), image.colourAt(899, 699)]).toEqual([GREEN, GREEN]);
  });

  test("captures the first visible element of those that match", async () => {
    const image = await imageOf("/cards", { selector: ".card" });
    expect(sizeOf(image)).toEqual([60, 40]);
    expect(image.colourAt(30, 20)).toEqual(GREEN);
  });

  test("waits for an element that appears late", async () => {
    const image = await imageOf("/late-element?after=600", { selector: "#late" });
    expect(sizeOf(image)).toEqual([BOX.width, BOX.height]);
    expect(image.colourAt(0, 0)).toEqual(GREEN);
  });

  const red = "background:red;width:50px;height:40px";

  sampled(test, 8).each([
    [
      "of fractions, with all of its edges",
      "position:absolute;left:10.4px;top:20.6px;width:50.3px;height:40.5px;background:red",
      [51, 42],
    ],
    ["far to the right", `margin-left:1500px;${red}`, [50, 40]],
    ["that is turned", `margin:50px;transform:rotate(90deg);${red}`, [40, 50]],
    ["that is fixed", `position:fixed;bottom:0;right:0;${red}`, [50, 40]],
  ])("captures an element %s", async (_, style, size) => {
    const image = await imageOf(html("", `<div id="e" style="${style}"></div>`), { selector: "#e" });
    expect(sizeOf(image)).toEqual(size);
    expect(image.colourAt(20, 20)).toEqual(RED);
  });

  sampled(test, 12).each([
    [
      "inside of an SVG",
      `<svg width="200" height="200"><rect id="e" x="40" y="30" width="50" height="40" fill="red"/></svg>`,
    ],
    ["that has no box but contents with one", `<div id="e" style="display:contents"><div style="${red}"></div></div>`],
    ["around what floats", `<div id="e"><div style="float:left;${red}"></div></div>`],
  ])("captures an element %s", async (_, body) => {
    const image = await imageOf(html("", body), { selector: "#e" });
    expect(sizeOf(image)).toEqual([50, 40]);
    expect([image.colourAt(0, 0), image.colourAt(49, 39)]).toEqual([RED, RED]);
  });

  slowTest("captures an element that lies to the left of where a page from right to left begins", async () => {
    const row = `<div style="width:800px;height:50px;background:green"><div id="e" style="position:relative;right:700px;${red}"></div></div>`;
    const image = await imageOf(`<!doctype html><html dir="rtl"><style>body{margin:0}</style>${row}`, {
      selector: "#e",
    });
    expect(sizeOf(image)).toEqual([50, 40]);
    expect([image.colourAt(0, 0), image.colourAt(49, 39)]).toEqual([RED, RED]);
  });

  test("ignores collapsed elements", async () => {
    const collapsed = `<div class="e" style="height:0;overflow:hidden"><div style="${red}"></div></div>`;
    const page = html("", `${collapsed}<div class="e" style="${red};background:green"></div>`);
    expect((await imageOf(page, { selector: ".e" })).colourAt(20, 20)).toEqual(GREEN);
  });

  sampled(test, 12).each([["observer"], ["native"], ["scroll"]])("loads lazy images in the element: %s", async (by) => {
    const image = await imageOf(`/lazy-gallery?by=${by}`, { selector: "div:nth-of-type(31)" });
    expect(image.columnColours(200, TILE_HEIGHT)).toEqual([tileColour(30)]);
  });

  sampled(test, 12).each([["native"], ["observer"], ["scroll"]])(
    "loads all lazy images of a tall element: %s",
    async (by) => {
      const image = await imageOf(`/lazy-gallery?count=15&by=${by}`, { selector: "body" });
      expect(image.columnColours(200, TILE_HEIGHT)).toEqual(Array.from({ length: 15 }, (_, n) => tileColour(n)));
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

  sampled(test, 4).each([
    ["to the left of", "left:-9999px;top:10px", { on_timeout: "capture" }],
    ["above", "left:10px;top:-9999px", { format: "png" }],
    ["to the left of", "left:-9999px;top:10px", { format: "gif", video_duration: 1 }],
    ["outside of", "position:fixed;left:5000px;top:10px", { format: "png" }],
  ])("fails at once when the element is entirely %s the page (%s, %j)", async (where, place, options) => {
    const page = html("", `<p>Text</p><div id="e" style="position:absolute;${red};${place}"></div>`);
    const problem = `the element that matches '#e' is entirely ${where} the page`;
    expect(await failureOf(captureOf(page, { selector: "#e", ...options }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message: expect.stringMatching(/Move it into the page with 'styles'/),
      details: { selector: [problem] },
    });
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

  test("ends at the page's top and left", async () => {
    const image = await imageOf("/box", { selector: "#box", selector_padding: 100 });
    expect(sizeOf(image)).toEqual([BOX.x + BOX.width + 100, BOX.y + BOX.height + 100]);
    expect(image.colourAt(BOX.x + 5, BOX.y + 5)).toEqual(RED);
  });
});

describe("selector_all", () => {
  test("captures the smallest rectangle around all that match", async () => {
    const image = await imageOf("/bands", { selector_all: "#band-3, #band-5" });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual([3, 4, 5].map(bandColour));
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
  const late = "/lazy-gallery?by=scroll";
  const selector = "div:nth-of-type(31)";

  sampled(test, 8).each([
    ["clip, leaves what only loads in view as it is", { selector_algorithm: "clip" }, false],
    ["off, too", { selector_scroll_into_view: false }, false],
    ["clip with scrolling into view, loads it", { selector_algorithm: "clip", selector_scroll_into_view: true }, true],
    ["default, loads it", { selector_algorithm: "default" }, true],
  ])("%s", async (_, options, isLoaded) => {
    const image = await imageOf(late, { selector, ...options });
    expect(String(image.colourAt(200, 100)) === String(tileColour(30))).toBe(isLoaded);
  });
});

describe("error_on_selector_not_found", () => {
  test("true: fails without the element", async () => {
    const error = await failureOf(captureOf("/box", { selector: "#missing", timeout: 7 }));
    expect(error.code).toBe("SELECTOR_NOT_FOUND");
  });

  sampled(test, 8).each([["selector"], ["selector_all"]])(
    "false: captures the window without %s, with a warning",
    async (option) => {
      const options = { [option]: "#missing", error_on_selector_not_found: false, timeout: 7 };
      const { body, warnings } = await captureOf("/box", options);
      expect(sizeOf(await decode(body))).toEqual([400, 300]);
      expect(warnings).toEqual(["No visible element matched the selector '#missing'; the image shows the window."]);
    },
  );
});

describe("an element of opacity 0 causes a warning:", () => {
  const page = (style: string) =>
    html("", `<main style="${style}"><p id="it" style="width:90px;height:90px;background:red"></p></main>`);
  const warning =
    "The element that matches the selector 'p' is invisible: its opacity or that of an ancestor is 0. Set its opacity with 'styles'.";

  sampled(test, 8).each<[string, string, Readonly<Record<string, unknown>>]>([
    ["its own", "", { selector: "p", styles: "p{opacity:0}" }],
    ["that of an element around it", "opacity:0", { selector: "p" }],
    ["all of several", "opacity:0", { selector_all: "p" }],
    ["in a pdf", "opacity:0", { selector: "p", format: "pdf" }],
    ["in a video", "opacity:0", { selector: "p", format: "gif", video_duration: 1, video_fps: 5 }],
  ])("%s", async (_, style, options) => {
    expect((await captureOf(page(style), options)).warnings).toContain(warning);
  });

  test.each<[string, string]>([
    ["hardly seen", "opacity:0.01"],
    ["that has faded in", "animation:a 1s both} @keyframes a{from{opacity:0}to{opacity:1}"],
  ])("no warning for an element %s", async (_, style) => {
    const options = { selector: "p", styles: `main{${style}}` };
    expect((await captureOf(page(""), options)).warnings).toEqual([]);
  });
});

describe("selectors of elements without a box, and of hidden ones", () => {
  const contents = "#a{display:contents} p{margin:0;height:20px;background:green}";

  sampled(test, 12).each<[string, string, object]>([
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
    const { body, warnings } = await captureOf(page, { ...options });
    const image = await decode(body);
    expect([sizeOf(image), image.colourAt(390, 35), warnings]).toEqual([[400, 40], GREEN, []]);
  });

  sampled(test, 8).each([
    ["in closed details", "<details><summary>more</summary><p id=a>inside</details><p>next"],
    [
      "without a box in closed details",
      "<details><summary>more</summary><div id=a style='display:contents'><p>in</div></details>",
    ],
    ["hidden until it is found", "<div hidden=until-found><p id=a>inside</div><p>next"],
    ["in content that is not rendered", "<div style='content-visibility:hidden'><p id=a>inside</div>"],
  ])("an element %s is not found", async (_, body) => {
    expect(await failureOf(captureOf(html("", body), { selector: "#a", timeout: 7 }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message: expect.stringContaining("hidden"),
    });
  });

  test("the summary of closed details is found", async () => {
    const image = await imageOf(html("", "<details><summary id=a style='height:30px'>more</summary>x</details>"), {
      selector: "#a",
    });
    expect(image.height).toBe(30);
  });
});

describe("selector_all in a box that clips", () => {
  const item = "flex:none;width:300px;height:100px;background:green";
  const row = (style: string) =>
    html(
      `body{background:white} .row{display:flex;width:310px;${style}} .row b{${item}}`,
      `<div class=row>${"<b></b>".repeat(4)}</div>`,
    );

  sampled(test, 6).each([
    ["scrolls sideways", row("overflow-x:auto"), 310],
    ["cuts off its slides", row("overflow:hidden"), 310],
    ["shows all of them", row(""), 1200],
  ])("shows what is seen of the elements: it %s", async (_, page, width) => {
    const image = await imageOf(page, { selector_all: ".row b" });
    expect([sizeOf(image), image.colourAt(1, 50), image.colourAt(width - 1, 50)]).toEqual([[width, 100], GREEN, GREEN]);
  });

  test("leaves out elements that are cut away", async () => {
    const page = html(
      ".row{height:100px;overflow:clip;width:200px} b{display:block;height:100px;background:green}",
      `<div class=row><b></b><b></b></div>`,
    );
    expect(sizeOf(await imageOf(page, { selector_all: "b" }))).toEqual([200, 100]);
  });

  slowTest("does not cut a positioned element that is outside of the box that clips", async () => {
    const page = html(
      ".row{overflow:hidden;width:50px;height:50px} b{position:absolute;left:0;top:0;width:200px;height:100px;background:green}",
      `<div class=row><b></b></div>`,
    );
    expect(sizeOf(await imageOf(page, { selector: "b" }))).toEqual([200, 100]);
  });
});

describe("selectors in open shadow roots", () => {
  const root = (inner: string) =>
    `<template shadowrootmode="open"><style>b{display:block;height:50px;background:green}</style>${inner}</template>`;
  const nested = `<x-a>${root(`<b></b><x-b>${root("<b class=in></b>")}</x-b>`)}</x-a>`;

  test.each<[string, object, number]>([
    ["selector", { selector: ".in" }, 50],
    ["selector_all", { selector_all: "b" }, 100],
  ])("%s", async (_, options, height) => {
    const image = await imageOf(html("", nested), { ...options });
    expect([sizeOf(image), image.colourAt(200, height - 1)]).toEqual([[400, height], GREEN]);
  });

  test("an element of the document is preferred", async () => {
    const image = await imageOf(html("", `${nested}<b style="display:block;height:20px"></b>`), { selector: "b" });
    expect(image.height).toBe(20);
  });
});

test("simultaneous captures do not share state", async () => {
  const bands = [3, 8, 13, 18, 23, 28];
  const images = await Promise.all(
    bands.map((band, n) => imageOf("/bands", { selector: `#band-${band}`, viewport_width: 100 + n })),
  );
  expect(images.map(({ width, colourAt }) => [width, colourAt(50, 50)])).toEqual(
    bands.map((band, n) => [100 + n, bandColour(band)]),
  );
}, 30_000);
