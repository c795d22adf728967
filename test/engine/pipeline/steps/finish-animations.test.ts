// Animations in an image.
import { describe, expect, test } from "vitest";
import { SCROLL_REVEAL } from "../../../../lib/fixtures/site-pages/lazy.ts";
import { ANIMATED } from "../../../../lib/fixtures/site-pages/motion.ts";
import { bandColour, GREEN } from "../../../../lib/fixtures/site-pages.ts";
import { middleOf, type Options, startSmallCaptures } from "../../../support/small-captures.ts";

const small = startSmallCaptures();
const { imageOf } = small;
const groundOf = (html: string, options?: Options) => small.groundOf(html, { wait_until: "load", ...options });

describe("disable_animations", () => {
  const { infinite, finite, transition } = ANIMATED;
  const boxes = [infinite, finite, transition];

  test("finishes finite animations, and holds infinite ones at a full half second of their time", async () => {
    const image = await imageOf("/animated?duration=20000");
    const [endless, ...others] = boxes.map((box) => image.colourAt(...middleOf(box)));
    expect(others).toEqual([finite.to, transition.to]);
    expect([[100, 0, 100], infinite.from, infinite.to]).toContainEqual(endless);
  });

  test("false: shows animations in progress", async () => {
    const image = await imageOf("/animated?duration=20000", { disable_animations: false });
    const colours = boxes.map((box) => image.colourAt(...middleOf(box)));
    expect(colours[1]).not.toEqual(finite.to);
    expect(colours[2]).not.toEqual(transition.to);
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
    expect(await groundOf(`<!doctype html><body>${content}`)).toEqual(GREEN);
  });

  test("finishes animations that scrolling has started", async () => {
    const image = await imageOf("/scroll-reveal", { full_page: true });
    const sections = Array.from({ length: SCROLL_REVEAL.sections }, (_, n) => n);
    const middles = sections.map((n) => image.colourAt(200, (n + 0.5) * SCROLL_REVEAL.height));
    expect(middles).toEqual(sections.map(bandColour));
  });
});
