// Changes to the layout for captures of a whole page: each does what it is for, and nothing else, or is taken back.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { expandScrollersInPage } from "../../../lib/engine/formats/expand-frames.ts";
import { neutraliseFixedInPage } from "../../../lib/engine/page/fixed-elements.ts";
import { evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode, decodeColumn, type Pixels } from "../../fixtures/png.ts";
import { BAND_HEIGHT, BLACK, bandColour, GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { openPage } from "../../support/open-page.ts";
import { sample, sampled, slowDescribe, slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;

const BLUE = [0, 0, 255];
const [WIDTH, HEIGHT] = [400, 300];

const captureOf = (html: string, options: Options = {}) =>
  captureWith({
    html,
    full_page: true,
    viewport_width: WIDTH,
    viewport_height: HEIGHT,
    wait_until: "load",
    timeout: 25,
    ...options,
  });

async function imageOf(html: string, options: Options = {}): Promise<Pixels> {
  return decode((await captureOf(html, options)).body);
}

const page = (style: string, body: string) => `<!doctype html><style>body{margin:0} ${style}</style>${body}`;
const band = (n: number, style = "") => `<div class="band" style="background:rgb(${bandColour(n)});${style}"></div>`;
const bands = (count: number, style = `height:${BAND_HEIGHT}px`) =>
  Array.from({ length: count }, (_, n) => band(n, style)).join("");
const bandColours = (count: number) => Array.from({ length: count }, (_, n) => bandColour(n));

const ALGORITHMS = ["default", "by_sections"] as const;

describe.each(sample(ALGORITHMS, 4))("an element fixed in another one stays there (%s)", (full_page_algorithm) => {
  const bar = "height:40px;background:red";
  const layout = `header { position: fixed; inset: 0 0 auto; height: 40px; background: blue }
    footer { position: fixed; inset: auto 0 0; ${bar} } main { padding: 40px 0 }`;
  const content = `<header></header><main>${bands(4)}</main><footer></footer>`;

  slowTest.each([
    ["a wrapper with a transform", page(`#w { transform: translateZ(0) } ${layout}`, `<div id="w">${content}</div>`)],
    [
      "a wrapper that will be transformed",
      page(`#w { will-change: transform } ${layout}`, `<div id="w">${content}</div>`),
    ],
    ["a wrapper with paint containment", page(`#w { contain: paint } ${layout}`, `<div id="w">${content}</div>`)],
    ["a body with perspective", page(`body { perspective: 500px } ${layout}`, content)],
    [
      "an element of content-visibility: auto",
      page(`#w { content-visibility: auto } ${layout}`, `<div id="w">${content}</div>`),
    ],
    [
      "a shadow root that is filtered",
      page(
        layout,
        `<x-page>${content}</x-page><script>
          const root = document.querySelector("x-page").attachShadow({ mode: "open" });
          root.innerHTML = '<div style="filter: brightness(1)"><slot></slot></div>';
        </script>`,
      ),
    ],
  ])("%s", async (_, html) => {
    const image = await imageOf(html, { full_page_algorithm });
    expect(image.height).toBe(480);
    expect([image.colourAt(5, 20), image.colourAt(5, 460)]).toEqual([BLUE, RED]);
    expect(image.columnColours(200, BAND_HEIGHT, 90).slice(0, 4)).toEqual(bandColours(4));
  });

  test("badges of cards with effects of all kinds, but one in a size container goes to the end of the page", async () => {
    const effects = [
      "transform:rotate(0)",
      "filter:blur(0)",
      "backdrop-filter:blur(1px)",
      "contain:layout",
      "contain:content",
    ];
    const cards = effects.map((effect) => `<div class="card" style="${effect}"><b></b></div>`).join("");
    const html = page(
      `.card { height: 120px; background: blue } b { position: fixed; right: 10px; bottom: 10px; width: 20px; height: 20px; background: red }
       .size { container-type: inline-size } .size b { right: 50px; z-index: 1; background: black }`,
      `<div class="card size"><b></b></div>${cards}`,
    );
    const image = await imageOf(html, { full_page_algorithm });
    expect(image.height).toBe(720);
    expect(effects.map((_, n) => image.colourAt(380, 120 * n + 220))).toEqual(effects.map(() => RED));
    expect(image.countInColumn(380, RED)).toBe(5 * 20);
    expect([image.colourAt(340, 700), image.countInColumn(340, BLACK)]).toEqual([BLACK, 20]);
  });

  slowTest("and a bar in a fixed layer keeps its place in the layer", async () => {
    const html = page(
      `#layer { position: fixed; inset: auto 0 0; height: 60px; background: blue }
       #bar { position: fixed; bottom: 10px; left: 0; width: 100px; height: 20px; background: red }`,
      `${bands(10)}<div id="layer"><div id="bar"></div></div>`,
    );
    const image = await imageOf(html, { full_page_algorithm });
    expect([image.height, image.countInColumn(5, RED), image.countInColumn(5, BLUE)]).toEqual([1_000, 20, 40]);
    expect(image.colourAt(5, 980)).toEqual(RED);
  });
});

describe("a scroller is expanded without what is hidden at its sides", () => {
  const shell = "html, body { height: 100% } main { overflow: auto; flex: 1 }";

  sampled(test, 8).each([
    [
      "a closed drawer",
      page(
        `${shell} #app { height: 100%; overflow: hidden; position: relative; display: flex; flex-direction: column }
         aside { position: absolute; top: 0; right: -100px; width: 100px; height: 100%; background: red }`,
        `<div id="app"><main>${bands(5)}</main><aside>Menu</aside></div>`,
      ),
    ],
    [
      "the other views of a track",
      page(
        `${shell} #app { height: 100%; overflow: hidden } #track { display: flex; width: 300%; height: 100% }
         #track > * { width: 400px; flex: none; overflow: auto } section { background: red }`,
        `<div id="app"><div id="track"><main>${bands(5)}</main><section>Two</section><section>Three</section></div></div>`,
      ),
    ],
    [
      "a closed sheet below the window",
      page(
        `${shell} #app { height: 100vh; overflow: clip; position: relative; display: grid }
         aside { position: absolute; top: 100%; width: 100%; height: 200px; background: red }`,
        `<div id="app"><main>${bands(5)}</main><aside>Sheet</aside></div>`,
      ),
    ],
    [
      "what is too wide in the scroller itself",
      page(
        `${shell} main { height: 100% } p { margin: 0 0 -20px 400px; width: 500px; height: 20px; background: red }`,
        `<main><p></p>${bands(5)}</main>`,
      ),
    ],
  ])("%s", async (_, html) => {
    const { body, warnings } = await captureOf(html);
    const image = await decode(body);
    expect([image.width, image.height, warnings]).toEqual([WIDTH, 500, []]);
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual(bandColours(5));
    expect(image.countInColumn(399, RED)).toBe(0);
  });
});

describe("percentage heights keep their size when a scroller is expanded", () => {
  const chain = "html, body, main { height: 100% } main { overflow-y: auto }";
  const screens = (style: string, wrap = (sections: string) => `<main>${sections}</main>`) =>
    page(`${chain} ${style}`, wrap(bands(3, "")));

  sampled(test, 16).each([
    ["height", screens("main { scroll-snap-type: y mandatory } .band { height: 100%; scroll-snap-align: start }")],
    ["min-height", screens(".band { min-height: 100% }")],
    ["calc() of a percentage", screens(".band { height: calc(50% + 150px) }")],
    ["flex-basis", screens("main { display: flex; flex-direction: column } .band { flex: 0 0 100% }")],
    ["rows of a grid", screens("main { display: grid; grid-auto-rows: 100% }")],
    [
      "in nested elements",
      screens("#w, .band { height: 100% }", (sections) => `<main><div id="w">${sections}</div></main>`),
    ],
    ["of the window", screens(".band { height: 100dvh }")],
    ["with a transition", screens(".band { height: 100%; transition: all 1s }")],
    [
      "in a page that a script keeps from scrolling, as fullPage.js does",
      page(
        `html, body { overflow: hidden; height: 100% } #fullpage { height: 100%; position: relative; transform: translate3d(0, 0, 0) }
         .band { height: 100%; display: table; table-layout: fixed; width: 100% }`,
        `<div id="fullpage">${bands(3, "")}</div>`,
      ),
    ],
  ])("%s", async (_, html) => {
    const { body, warnings } = await captureOf(html);
    const image = await decode(body);
    expect([image.width, image.height, warnings]).toEqual([WIDTH, 3 * HEIGHT, []]);
    expect(image.columnColours(200, HEIGHT, 1)).toEqual(bandColours(3));
    expect(image.columnColours(200, HEIGHT, HEIGHT - 1)).toEqual(bandColours(3));
  });

  slowTest.each(["by_sections"])("also %s", async (full_page_algorithm) => {
    const image = await imageOf(screens(".band { height: 100% }"), { full_page_algorithm });
    expect(image.columnColours(200, HEIGHT, HEIGHT - 1)).toEqual(bandColours(3));
  });

  slowTest("also in a pdf", async () => {
    const { body } = await captureOf(screens(".band { height: 100% }"), {
      full_page: false,
      format: "pdf",
      pdf_fit_one_page: true,
      pdf_margin: 0,
    });
    const image = await readPdf(body).draw(0, 96 / 72);
    const seen = image.columnColours(200, HEIGHT, 10).slice(0, 3);
    const differences = seen.flat().map((channel, n) => Math.abs(channel - (bandColours(3).flat()[n] ?? 0)));
    expect([seen.length, Math.max(...differences) <= 1]).toEqual([3, true]);
  });

  test("a hero, a sidebar, and a picture behind the first window", async () => {
    const html = page(
      `html, body { height: 100% } body { display: flex } nav { float: left; width: 50px; height: 100%; background: red }
       main { flex: 1; height: 100%; overflow: auto; position: relative } #hero { height: 60%; background: green; overflow: hidden }
       #hero p { margin: 0; height: 500px } #ground { position: absolute; top: 60%; height: 20%; width: 20px; background: blue; z-index: 1 }`,
      `<nav></nav><main><div id="hero"><p></p></div><div id="ground"></div>${bands(4)}</main>`,
    );
    const image = await imageOf(html);
    expect(image.height).toBe(180 + 400);
    expect(image.countInColumn(200, GREEN)).toBe(180);
    expect(image.countInColumn(60, BLUE)).toBe(60);
    expect(image.countInColumn(10, RED)).toBeGreaterThanOrEqual(HEIGHT);
    expect(image.columnColours(200, BAND_HEIGHT, 230)).toEqual(bandColours(4));
  });
});

describe("a list in a scroller that renders only what is in view", () => {
  const warning = (name: string) =>
    `The list '${name}' renders only the rows that are in view (a virtualized list), ` +
    "so that the capture shows it as the window does, not in full height.";
  const require = createRequire(import.meta.url);
  const clusterize = readFileSync(require.resolve("clusterize.js/clusterize.min.js"), "utf8");

  const positioned = page(
    "#list { height: 250px; overflow: auto } #inner { position: relative; height: 8000px } p { position: absolute; margin: 0; width: 100%; height: 40px; background: green }",
    `<div id="list"><div id="inner"></div></div><script>
      const [list, inner] = [document.getElementById("list"), document.getElementById("inner")];
      const render = () => {
        inner.replaceChildren();
        const first = Math.max(0, Math.floor(list.scrollTop / 40) - 3);
        for (let n = first; n < Math.min(200, first + 13); n++) {
          const row = document.createElement("p");
          row.textContent = n; row.style.top = n * 40 + "px"; inner.append(row);
        }
      };
      list.addEventListener("scroll", render); render();
    </script>`,
  );
  const spaced = page(
    "#scroll { max-height: 280px; overflow: auto } #content div { height: 30px; background: green }",
    `<div id="scroll"><div id="content" class="clusterize-content" tabindex="0"></div></div><script>${clusterize}</script><script>
      const rows = Array.from({ length: 1000 }, (_, n) => "<div>Row " + n + "</div>");
      new Clusterize({ rows, scrollId: "scroll", contentId: "content", rows_in_block: 10, blocks_in_cluster: 4 });
    </script>`,
  );
  const tardy = positioned.replace(
    'addEventListener("scroll", render)',
    'addEventListener("scroll", () => requestAnimationFrame(() => setTimeout(render, 20)))',
  );

  sampled(test, 12).each([
    ["with rows that are positioned", positioned, "div#list", 250],
    ["with clusterize.js", spaced, "div#scroll", 280],
    ["a little after it was scrolled", tardy, "div#list", 250],
  ])("%s keeps its height where it is not visited, with a warning", async (_, html, name, height) => {
    const { body, warnings } = await captureOf(html, { full_page_scroll: false });
    const image = await decode(body);
    expect([image.height, warnings]).toEqual([HEIGHT, [warning(name)]]);
    const [first, last] = [image.colourAt(200, 5), image.colourAt(200, height - 5)];
    expect([first, last, image.colourAt(200, height + 5)]).toEqual([GREEN, GREEN, WHITE]);
  });

  slowTest.each([
    ["with rows that are positioned", positioned, 200 * 40],
    ["with clusterize.js", spaced, 1_000 * 30],
    ["a little after it was scrolled", tardy, 200 * 40],
  ])("%s is whole, without a warning", async (_, html, height) => {
    const { body, warnings } = await captureOf(html, { full_page_max_height: 40_000 });
    const column = await decodeColumn(body, 200);
    expect([column.height >= height, warnings]).toEqual([true, []]);
    expect(column.countInColumn(0, GREEN)).toBeGreaterThanOrEqual(height - 1);
  });

  slowTest("that renders more once it is taller is whole", async () => {
    const watching = positioned
      .replace("first + 13", "first + 6 + list.clientHeight / 40")
      .replace("render();\n    </script>", "new ResizeObserver(render).observe(list);\n    </script>");
    const { body, warnings } = await captureOf(watching);
    const image = await decode(body);
    expect([image.height, warnings]).toEqual([8_000, []]);
    expect(image.countInColumn(200, GREEN)).toBeGreaterThan(7_900);
  });

  test("is not a scroller with nothing in a part of it", async () => {
    const html = page(
      "main { height: 100vh; overflow: auto } #space { height: 400px }",
      `<main>${bands(3)}<div id="space"></div>${bands(2)}</main>`,
    );
    const { body, warnings } = await captureOf(html);
    const image = await decode(body);
    expect([image.height, warnings, image.colourAt(200, 850)]).toEqual([900, [], bandColour(1)]);
  });
});

describe("full_page and what is outside of the window", () => {
  const popover = (rules: string, top: number) =>
    page(
      `#anchor { anchor-name: --a; margin: ${top}px 0 0 100px; height: 20px } #tip { ${rules}; margin: 0; padding: 0; border: 0; width: 50px; height: 20px; background: red }`,
      `<button id="anchor">Anchor</button><div id="tip" popover="manual"></div><div style="height:300px"></div><script>tip.showPopover()</script>`,
    );

  describe.each(sample(ALGORITHMS, 4))("%s", (full_page_algorithm) => {
    sampled(test, 12).each([
      ["that has an area", popover("position-anchor: --a; inset: auto; position-area: bottom span-right", 400)],
      ["in the first window", popover("position-anchor: --a; inset: auto; position-area: bottom span-right", 200)],
      [
        "that is at its edges",
        popover("position-anchor: --a; inset: auto; top: anchor(bottom); left: anchor(left)", 400),
      ],
    ])("a popover anchored to the page stays at its anchor: %s", async (_, html) => {
      const image = await imageOf(html, { full_page_algorithm });
      const top = html.includes("margin: 400px") ? 420 : 220;
      expect(image.height).toBe(top + 300);
      expect(image.countInColumn(110, RED)).toBe(20);
      expect(image.colourAt(110, top + 10)).toEqual(RED);
    });

    sampled(test, 8).each([
      ["at the side", "top: 100px; right: -100px; bottom: 0; width: 100px"],
      ["above", "top: -80px; left: 0; width: 100%; height: 80px"],
      ["below", "top: 100%; left: 0; width: 100%; height: 80px"],
      ["below, as tall as the window", "top: 100%; left: 0; width: 100%; height: 100%"],
      ["below, by a transform", "bottom: 0; left: 0; width: 100%; height: 60px; transform: translateY(100%)"],
    ])("what waits %s is not shown", async (_, rules) => {
      const html = page(`aside { position: fixed; background: red; ${rules} }`, `${bands(4)}<aside></aside>`);
      const image = await imageOf(html, { full_page_algorithm });
      expect([image.width, image.height]).toEqual([WIDTH, 400]);
      expect(image.columnColours(200, BAND_HEIGHT)).toEqual(bandColours(4));
      expect(image.columnColours(395, BAND_HEIGHT)).toEqual(bandColours(4));
    });
  });
});

describe.each(sample(ALGORITHMS, 4))(
  "an element that sticks to a box on the page stays there (%s)",
  (full_page_algorithm) => {
    const body = `${bands(1)}<section><i></i>${bands(4)}</section>`;
    sampled(test, 8).each([
      ["that hides its overflow", "section { overflow: hidden }", 150],
      ["that scrolls", "section { overflow: auto; height: 80px }", 150],
      ["but not one that clips its overflow, and sticks to the window", "section { overflow: clip }", 100],
      ["but not the body, whose overflow is that of the window", "body { overflow-y: auto }", 100],
    ])("%s", async (_, css, top) => {
      const sticky = "i { display: block; position: sticky; top: 50px; height: 20px; background: red }";
      const image = await imageOf(page(`${css} ${sticky}`, body), { full_page_algorithm });
      expect(image.countInColumn(200, RED)).toBe(20);
      expect(image.colourAt(200, top + 10)).toEqual(RED);
    });
  },
);

describe.each(
  sample(
    [
      ["html", 0.8],
      ["html", 1.25],
      ["body", 0.5],
      ["body", 2],
    ],
    3,
  ),
)("full_page of a page with CSS zoom on its %s (%d)", (element, zoom) => {
  const css = `${element} { zoom: ${zoom} }`;
  const size = (length: number) => length * zoom;

  sampled(test, 4).each(ALGORITHMS)(
    "has its fixed elements and backgrounds as the window shows them (%s)",
    async (full_page_algorithm) => {
      const picture = `url("data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="15" fill="red"/><rect y="15" width="40" height="15" fill="blue"/></svg>')}")`;
      const html = page(
        `${css} footer { position: fixed; bottom: 0; width: 100%; height: 40px; background: green }
       nav { position: fixed; top: 0; bottom: 0; left: 0; width: 20px; background: black }
       main { background: ${picture} center / cover no-repeat fixed; height: ${600 / zoom}px; padding-bottom: 0 } body { padding-bottom: 40px }`,
        `<main></main><nav></nav><footer></footer>`,
      );
      const image = await imageOf(html, { full_page_algorithm });
      const height = 600 + size(40);
      expect(image.height).toBe(height);
      expect(image.columnColours(200, 150).slice(0, 4)).toEqual([RED, BLUE, RED, BLUE]);
      expect(image.countInColumn(200, GREEN)).toBe(size(40));
      expect(image.colourAt(200, height - size(20))).toEqual(GREEN);
      expect(image.countInColumn(2, BLACK)).toBe(height - size(40));
    },
  );

  slowTest("shows all of an inner scroller", async () => {
    const html = page(
      `${css} main { position: fixed; inset: 0 0 0 20px; overflow: auto } #screen { height: 100%; background: green }`,
      `<main><div id="screen"></div>${bands(24)}</main>`,
    );
    const image = await imageOf(html);
    expect([image.width, image.height]).toEqual([WIDTH, HEIGHT + size(2_400)]);
    expect(image.countInColumn(200, GREEN)).toBe(HEIGHT);
    const middles = Array.from({ length: 24 }, (_, n) => image.colourAt(200, Math.floor(HEIGHT + size(n * 100 + 50))));
    expect(middles).toEqual(bandColours(24));
  });
});

describe.each(sample(ALGORITHMS, 4))("fixed layers of pseudo-elements (%s)", (full_page_algorithm) => {
  slowTest.each([
    ["body::before", "body::before { content: ''; position: fixed; inset: 0; z-index: -1; background: green }", ""],
    [
      "main::after",
      "main::after { content: '' !important; position: fixed !important; top: 0; left: 0; width: 100vw; height: 100vh; z-index: -1; background: green }",
      "",
    ],
    [
      "one in a shadow root",
      "",
      `<x-ground></x-ground><script>document.querySelector("x-ground").attachShadow({ mode: "open" }).innerHTML =
        "<style>div::before { content: ''; position: fixed; inset: 0; z-index: -1; background: green }</style><div></div>"</script>`,
    ],
  ])("%s spans the page", async (_, css, extra) => {
    const html = page(`${css} main { height: 600px }`, `<main></main>${extra}`);
    const image = await imageOf(html, { full_page_algorithm });
    expect([image.height, image.countInColumn(200, GREEN)]).toEqual([600, 600]);
  });

  test("a layer spans the page, a bar at the bottom is at its end, and those at the top and in a transformed element stay", async () => {
    const html = page(
      `body::after { content: "Bar"; position: fixed; inset: auto 0 0; height: 40px; background: red }
       body::before { content: ""; position: fixed; inset: 0 0 auto; height: 30px; background: blue }
       main::before { content: ""; position: fixed; inset: 0; z-index: -1; background: green }
       main { height: 400px; padding-top: 200px } #card { transform: rotate(0); width: 100px; height: 100px }
       #card::before { content: ""; position: fixed; inset: auto 0 0; height: 50px; background: black }`,
      `<main><div id="card"></div></main>`,
    );
    const image = await imageOf(html, { full_page_algorithm });
    const counts = { green: GREEN, red: RED, blue: BLUE };
    expect(Object.entries(counts).map(([name, colour]) => [name, image.countInColumn(200, colour)])).toEqual([
      ["green", 530],
      ["red", 40],
      ["blue", 30],
    ]);
    expect([image.colourAt(200, 10), image.colourAt(300, 580)]).toEqual([BLUE, RED]);
    expect([image.countInColumn(50, BLACK), image.colourAt(50, 275)]).toEqual([50, BLACK]);
  });
});

describe("full_page and backgrounds of pseudo-elements", () => {
  sampled(test, 4).each([
    [
      "below the window",
      "section { position: relative; height: 200px } section::before { content: ''; position: absolute; inset: 0;",
    ],
    ["in the flow", "section::before { content: ''; display: block; height: 200px;"],
  ])("fixed ones are not white: %s", async (_, rules) => {
    const html = page(
      `${rules} background: linear-gradient(red 50%, blue 50%) fixed }`,
      `<div style="height:500px"></div><section></section><div style="height:100px"></div>`,
    );
    const image = await imageOf(html);
    expect([image.colourAt(200, 510), image.colourAt(200, 590)]).toEqual([RED, RED]);
    expect([image.colourAt(200, 610), image.colourAt(200, 690)]).toEqual([BLUE, BLUE]);
  });
});

describe("full_page of a presentation", () => {
  const require = createRequire(import.meta.url);
  const impress = readFileSync(require.resolve("impress.js/js/impress.js"), "utf8");

  sampled(test, 4).each(["html", "body"])(
    "ends with the window where its %s hides what is at the side",
    async (element) => {
      const html = page(
        `${element} { overflow-x: hidden } aside { position: absolute; top: 0; left: 400px; width: 200px; height: 50px; background: red }`,
        `${bands(8)}<aside></aside>`,
      );
      const image = await imageOf(html);
      expect([image.width, image.columnColours(399, BAND_HEIGHT)]).toEqual([WIDTH, bandColours(8)]);
    },
  );

  sampled(test, 6).each([
    [
      "with impress.js",
      `<div id="impress"><div class="step" data-x="-1000" data-y="0">One</div><div class="step" data-x="3000" data-y="2500">Two</div></div>
       <script>${impress}</script><script>impress().init()</script>`,
    ],
    [
      "of slides that transforms move",
      `<style>html, body { overflow: hidden; height: 100% } section { position: absolute; inset: 0 }</style>
       <section>One</section><section style="transform: translate(2000px, 1500px)">Two</section>`,
    ],
    [
      "with a hint that is fixed to its bottom",
      `<style>html, body { overflow: hidden; height: 100% } section { position: absolute; inset: 0 }</style>
       <section>One</section><section style="transform: translate(2000px, 1500px)">Two</section>
       <p style="position: fixed; bottom: 0; margin: 0">Press space</p>`,
    ],
  ])("%s shows the window", async (_, body) => {
    const image = await imageOf(page("", body));
    expect([image.width, image.height]).toEqual([WIDTH, HEIGHT]);
  });
});

test("a sidebar spans the page, and what is in its middle stays in the first window", async () => {
  const html = page(
    `nav { position: fixed; top: 0; bottom: 0; left: 0; width: 50px; background: blue; display: flex; flex-direction: column; justify-content: center }
     i { height: 20px; background: red }`,
    `${bands(5)}<nav><i></i></nav>`,
  );
  const image = await imageOf(html);
  expect(image.countInColumn(25, BLUE)).toBe(5 * BAND_HEIGHT - 20);
  expect(image.colourAt(25, HEIGHT / 2)).toEqual(RED);
});

test("fixed elements are placed again, not further down, when a picture is taken again", async () => {
  const html = page(
    "footer { position: fixed; bottom: 0; height: 40px; width: 100%; transition: all 1s } h1 { position: sticky; top: 0 }",
    `<h1>Title</h1>${bands(20)}<footer>Footer</footer>`,
  );
  await using opened = await openPage(html);
  const place = async () => {
    await evaluateInIsolatedWorld(opened.capturing, neutraliseFixedInPage);
    const expression = "document.querySelector('footer').getBoundingClientRect().bottom";
    return (await opened.capturing.session.cdp.send("Runtime.evaluate", { expression })).result.value;
  };
  const first = await place();
  expect(first).toBeGreaterThan(1_024);
  expect(await place()).toBe(first);
});

describe("a change that does harm is taken back", () => {
  /** Sizes that follow the height of the scroller. */
  const harmful = page(
    `html, body { height: 100% } main { height: 90%; overflow: auto; container-type: size; transition: all 1s }
     p { margin: 0; font-size: 20cqh; width: 50cqh }`,
    `<main style="color:red;">${"<p>Text</p>".repeat(12)}</main>`,
  );

  test("and is not needed where the page is visited: the scroller is shown whole", async () => {
    const { body, warnings } = await captureOf(harmful);
    const image = await decode(body);
    expect([image.height, warnings]).toEqual([30 + 12 * 62, []]);
  });

  test("with a warning that names the scroller", async () => {
    const { body, warnings } = await captureOf(harmful, { full_page_scroll: false });
    expect((await decode(body)).height).toBe(HEIGHT);
    expect(warnings).toEqual([
      "The page scrolls in 'main', which can't be laid out in full height without changing other parts of the page. " +
        "The capture shows it as the window does.",
    ]);
  });

  test("so that the page is as it was, to the letter", async () => {
    await using opened = await openPage(harmful);
    const { capturing } = opened;
    const state = async () => {
      const expression = `JSON.stringify([document.documentElement.outerHTML, document.querySelector("main").scrollTop,
        document.querySelectorAll("p")[5].getBoundingClientRect(), document.getAnimations().length])`;
      return (await capturing.session.cdp.send("Runtime.evaluate", { expression })).result.value;
    };
    const before = await state();
    expect(await evaluateInIsolatedWorld(capturing, expandScrollersInPage)).toEqual({
      scrollers: [{ result: "harmful", scroller: "main" }],
      board: null,
      hasFrames: false,
      isSampled: false,
    });
    expect(await state()).toBe(before);
  });

  slowDescribe("and a page of too many elements is measured by a sample", () => {
    const many = page(
      "footer { position: fixed; bottom: 0; width: 100%; height: 40px; background: red } p { margin: 0; height: 1px }",
      `${"<p></p>".repeat(21_000)}<footer></footer>`,
    );

    test.each([
      [true, 20_100],
      [false, 19_900],
    ])("which is reported: %s for %i elements", async (isSampled, count) => {
      await using opened = await openPage(many.replace(/(?:<p><\/p>)+/, "<p></p>".repeat(count)));
      expect(await evaluateInIsolatedWorld(opened.capturing, neutraliseFixedInPage)).toEqual({
        refused: [],
        isSampled,
      });
    });

    test("with a warning", async () => {
      const { warnings } = await captureOf(many, { full_page_max_height: 1_000, full_page_scroll: false });
      expect(warnings).toEqual([
        "The page has more than 20,000 elements. Only a sample of them was checked for side effects of laying the page out as a whole.",
        "The page is 21000 pixels tall; the image ends at 1000 pixels.",
      ]);
    });
  });
});
