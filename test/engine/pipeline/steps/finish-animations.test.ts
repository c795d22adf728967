// Animations in an image.
import { describe, expect, test } from "vitest";
import { decode, type Pixels } from "../../../fixtures/png.ts";
import { ANIMATED } from "../../../fixtures/site-pages/motion.ts";
import { bandColour, GREEN } from "../../../fixtures/site-pages.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { middleOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { imageOf } = startSmallCaptures();

/** The window of a page whose animations have been finished. */
async function finishedWindow(html: string): Promise<Pixels> {
  await using page = await openPage(html, { window: { width: 400, height: 300 } });
  await runStep(page.capturing, "finish-animations", {});
  const { data } = await page.capturing.session.cdp.send("Page.captureScreenshot");
  return decode(Buffer.from(data, "base64"));
}

describe("disable_animations", () => {
  const { infinite, finite, transition } = ANIMATED;
  const boxes = [infinite, finite, transition];

  test("finishes finite animations, and holds infinite ones at a full half second of their time", async () => {
    const image = await imageOf("/animated?duration=20000");
    const [endless, ...others] = boxes.map((box) => image.colourAt(...middleOf(box)));
    expect(others).toEqual([finite.to, transition.to]);
    expect([[100, 0, 100], infinite.from, infinite.to]).toContainEqual(endless);
  });

  slowTest("false: shows animations in progress", async () => {
    const image = await imageOf("/animated?duration=20000", { disable_animations: false });
    const colours = boxes.map((box) => image.colourAt(...middleOf(box)));
    expect(colours[1]).not.toEqual(finite.to);
    expect(colours[2]).not.toEqual(transition.to);
  });

  sampled(test, 2).each([
    [
      "a ticker that begins outside",
      "<p><i>Text</i></p>",
      "i { display: inline-block; width: 100px; animation: run 8s linear infinite } @keyframes run { from { translate: 400px } to { translate: -100px } }",
    ],
    [
      "a pulse that begins transparent",
      "<p><i></i></p>",
      "i { display: block; animation: run 4s linear infinite } @keyframes run { from { opacity: 0 } }",
    ],
    [
      "text that is typed",
      "<p><i></i></p>",
      "i { display: block; animation: run 4s steps(20) infinite } @keyframes run { from { width: 0 } to { width: 100px } }",
    ],
    [
      "a pseudo-element that blinks",
      "<p></p>",
      "p::before { content: ''; display: block; height: 100px; background: green; animation: run 4s linear infinite } @keyframes run { 0%, 30% { opacity: 0 } 60% { opacity: 1 } }",
    ],
  ])("holds endless animations where something of them is visible: %s", async (_, content, styles) => {
    const image = await finishedWindow(
      `<!doctype html><style>body, p { margin: 0 } p { overflow: hidden; height: 100px } i { height: 100px; background: green } ${styles}</style>${content}`,
    );
    const shown = Array.from({ length: 40 }, (_, n) => image.colourAt(n * 10, 50)).filter(([red = 0]) => red < 190);
    expect(shown.length).toBeGreaterThan(2);
  });

  test("shows one of the pictures that take turns, not none or all of them", async () => {
    const image = await finishedWindow(
      `<!doctype html><style>
        div { position: absolute; inset: 0; opacity: 0; animation: turn 9s infinite }
        div:nth-child(1) { background: rgb(200, 0, 0) }
        div:nth-child(2) { background: rgb(0, 200, 0); animation-delay: 3s }
        div:nth-child(3) { background: rgb(0, 0, 200); animation-delay: 6s }
        @keyframes turn { 0% { opacity: 0 } 3%, 33% { opacity: 1 } 36% { opacity: 0 } }
      </style><div></div><div></div><div></div>`,
    );
    expect([
      [200, 0, 0],
      [0, 200, 0],
      [0, 0, 200],
    ]).toContainEqual(image.colourAt(200, 150));
  });

  test.each([["from below"], ["by fading alone"]])("shows one of the words that rotate %s", async (how) => {
    const way = how === "from below" ? "translate: 0 60px;" : "";
    const image = await finishedWindow(
      `<!doctype html><style>
        p { position: relative; height: 100px; margin: 0; overflow: hidden }
        span { position: absolute; top: 0; width: 80px; height: 100px; opacity: 0; animation: rise 6s infinite }
        span:nth-child(1) { background: rgb(200, 0, 0) }
        span:nth-child(2) { background: rgb(0, 200, 0); animation-delay: 2s; left: 10px }
        span:nth-child(3) { background: rgb(0, 0, 200); animation-delay: 4s; left: 20px }
        @keyframes rise { from { ${way} opacity: 0 } 8%, 30% { translate: 0 0; opacity: 1 } 38%, to { opacity: 0 } }
      </style><p><span></span><span></span><span></span></p>`,
    );
    const colours = [5, 50, 95].map((x) => image.colourAt(x, 50)).filter(([, green = 0]) => green !== 255);
    expect(colours.length).toBeGreaterThan(0);
    expect(colours.every((colour) => String(colour.toSorted()) === "0,0,200")).toBe(true);
  });

  const fades = `[{ background: "red" }, { background: "green" }], { duration: 20_000, fill: "forwards" }`;
  test.each([
    ["by a script", `<script>document.body.animate(${fades})</script>`],
    [
      "by the end of another",
      `<script>document.body.animate([], 9_000).onfinish = () => document.body.animate(${fades})</script>`,
    ],
    [
      "in a shadow root",
      `<x-a><template shadowrootmode="open"><div style="position:fixed;inset:0"></div></template></x-a>
       <script>document.querySelector("x-a").shadowRoot.querySelector("div").animate(${fades})</script>`,
    ],
    [
      "in a frame",
      `<iframe style="position:fixed;inset:0;border:0;width:100%;height:100%" srcdoc='<script>document.documentElement.animate(${fades})</script>'></iframe>`,
    ],
  ])("finishes an animation that was started %s", async (_, content) => {
    expect((await finishedWindow(`<!doctype html><body>${content}`)).colourAt(390, 290)).toEqual(GREEN);
  });

  slowTest("finishes animations that scrolling has started", async () => {
    const numbers = [0, 1, 2, 3];
    const sections = numbers.map((n) => `<section><div style="background: rgb(${bandColour(n)})"></div></section>`);
    const image = await imageOf(
      `<!doctype html><style>
        body { margin: 0 } section, div { height: 250px } section { overflow: hidden }
        div { opacity: 0; transform: translateY(40px); transition: opacity .6s, transform .6s }
        .seen div { opacity: 1; transform: none }
      </style>${sections.join("")}<script>
        const observer = new IntersectionObserver((entries) => {
          for (const { isIntersecting, target } of entries) if (isIntersecting) target.classList.add("seen");
        }, { threshold: 0.1 });
        for (const section of document.querySelectorAll("section")) observer.observe(section);
      </script>`,
      { full_page: true, viewport_width: 200 },
    );
    expect(image.columnColours(100, 250)).toEqual(numbers.map(bandColour));
  });
});
