// Animations in an image.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../../lib/fixtures/png.ts";
import { type Site, startSite } from "../../../../lib/fixtures/site.ts";
import { SCROLL_REVEAL } from "../../../../lib/fixtures/site-pages/lazy.ts";
import { ANIMATED } from "../../../../lib/fixtures/site-pages/motion.ts";
import { bandColour, GREEN } from "../../../../lib/fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 10 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });
const htmlOf = (html: string, options: Options = {}) =>
  captureWith({ html, wait_until: "load", ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

async function imageOf(path: string, options: Options = {}) {
  return decode((await captureOf(path, options)).body);
}
async function groundOf(html: string, options: Options = {}) {
  return (await decode((await htmlOf(html, options)).body)).colourAt(390, 290);
}
const middleOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  [x + width / 2, y + height / 2] as const;

describe("disable_animations", () => {
  const { infinite, finite, transition } = ANIMATED;
  const boxes = [infinite, finite, transition];

  test("finishes finite animations and resets infinite ones", async () => {
    const image = await imageOf("/animated?duration=20000");
    expect(boxes.map((box) => image.colourAt(...middleOf(box)))).toEqual([infinite.from, finite.to, transition.to]);
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
