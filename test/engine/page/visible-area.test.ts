// Pictures of more than the window: the page keeps its viewport, and nothing of it starts again.
import { describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { sampled } from "../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../support/small-captures.ts";

const small = startSmallCaptures();

/** A page of two windows that is green at its end, 500 pixels from its top, once its transitions and animations are over. */
const page = (styles: string, body = '<div class="a"></div>') =>
  `<!doctype html><style>body { margin: 0; height: 600px } .a { position: absolute; top: 450px; left: 0; width: 300px; height: 100px; background: green } ${styles}</style>${body}`;

const fade = "@keyframes enter { from { opacity: 0; transform: translateX(300px) } }";
const startedByQueries: Readonly<Record<string, string>> = {
  "a transition of a media query": page(
    ".a { left: -300px } @media (min-width: 200px) { .a { left: 0; transition: left .3s } }",
  ),
  "a transition of a query on the height": page(
    ".a { left: -300px } @media (min-height: 100px) { .a { left: 0; transition: left .3s } }",
  ),
  "an animation of a media query": page(`${fade} @media (min-width: 200px) { .a { animation: enter .8s both .2s } }`),
  "an animation of a box that a media query shows": page(
    `${fade} .a { display: none; animation: enter .8s both } @media (min-width: 200px) { .a { display: block } }`,
  ),
  "an animation of a container query": page(
    `${fade} main { container-type: inline-size } @container (min-width: 200px) { .a { animation: enter .8s both } }`,
    '<main><div class="a"></div></main>',
  ),
  "a transition in a frame": page(
    "iframe { position: absolute; top: 450px; left: 0; border: 0; width: 100%; height: 100px }",
    `<iframe srcdoc="<style>body{margin:0}p{margin:0 0 0 -300px;width:300px;height:100px;background:green}@media(min-width:200px){p{margin-left:0;transition:margin .3s}}</style><p></p>"></iframe>`,
  ),
  "an animation in a closed shadow root": page(
    "",
    `<div id="host"></div><script>host.attachShadow({ mode: "closed" }).innerHTML = "<style>p{position:absolute;top:450px;margin:0;width:300px;height:100px;background:green}@keyframes in{from{opacity:0}}@media(min-width:200px){p{animation:in .8s both}}</style><p></p>"</script>`,
  ),
};

describe("a picture of more than the window", () => {
  sampled(test, 12).for(Object.entries(startedByQueries))("%s is at its end", async ([, html]) => {
    const image = await decode((await small.captureOf(html, { full_page: true })).body);
    expect([image.colourAt(10, 500), image.colourAt(290, 500)]).toEqual([GREEN, GREEN]);
  });

  const [transition = "", , animation = ""] = Object.values(startedByQueries);
  sampled(test, 8).each<[string, string, Options, number]>([
    ["of a part below the window", transition, { clip_x: 0, clip_y: 450, clip_width: 300, clip_height: 100 }, 50],
    ["of an element", animation, { selector: ".a", selector_scroll_into_view: false }, 50],
    ["without scripts", animation, { full_page: true, javascript: false }, 500],
    ["that keeps its last frame", transition, { full_page: true, on_timeout: "capture" }, 500],
    ["that is deterministic", animation, { full_page: true, deterministic: true }, 500],
  ])("%s is at its end", async (_, html, options, y) => {
    const image = await decode((await small.captureOf(html, options)).body);
    expect([image.colourAt(10, y), image.colourAt(290, y)]).toEqual([GREEN, GREEN]);
  });

  test("has the text that a clip below the viewport shows", async () => {
    const bar = `<div class="bar">██████</div>`;
    const html = `<!doctype html><style>
      html, body { height: 100%; margin: 0 }
      body::before { content: ""; position: fixed; inset: 0; z-index: -1; background: white }
      .bar { flex: none; overflow: hidden; margin: 8px 0; height: 40px; background: blue; color: green }
      </style><div style="display: flex; flex-direction: column; height: 100%; overflow: hidden">
        ${bar}<main style="flex: 1; min-height: 0; overflow-y: auto"><div style="height: 800px"></div></main>${bar}
      </div>`;
    const image = await decode((await small.captureOf(html, { full_page: true })).body);
    expect([image.colourAt(20, 15), image.colourAt(20, image.height - 41)]).toEqual([GREEN, GREEN]);
  });

  test("is no resize for the page, also in tiles", async () => {
    const html = `<!doctype html><style>body { margin: 0; height: 3000px; background: green } div { height: 100vh }</style><div></div>
      <script>
        const tell = () => { document.body.style.background = "red" };
        addEventListener("scroll", () => { // the window has its size then
          addEventListener("resize", tell);
          visualViewport.addEventListener("resize", tell);
          matchMedia("(min-width: 100px)").addEventListener("change", tell);
          let isFirst = true;
          new ResizeObserver(() => { if (!isFirst) tell(); isFirst = false }).observe(document.querySelector("div"));
        }, { once: true });
      </script>`;
    const { body } = await small.captureOf(html, { full_page: true, viewport_height: 1_000, device_scale_factor: 2 });
    const column = await decode(body, { left: 700, top: 0, width: 1, height: 6_000 });
    expect(new Set(column.columnColours(0, 1_000).map(String))).toEqual(new Set([String(GREEN)]));
  });
});
