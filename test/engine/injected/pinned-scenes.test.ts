// Scenes that stay in the window while the page scrolls: a full page shows each stage of them, or each once, or their space.
import { describe, expect, test } from "vitest";
import {
  BAND,
  BANDED_WINDOW,
  bandColours,
  bandedPage,
  bands,
  bandsAt,
  fullPageOf as captureFullPage,
} from "../../support/banded-page.ts";
import { sample, sampled, slowTest } from "../../support/slow-run.ts";

const GREEN = [0, 128, 0];
const WHITE = [255, 255, 255];
const { height: WINDOW_HEIGHT } = BANDED_WINDOW;

/** With time for all stages on a busy machine. */
const fullPageOf = (options: Readonly<Record<string, unknown>>) => captureFullPage({ timeout: 60, ...options });

/** A scene with a box that goes from the left to the right while the page scrolls through `holder`. */
const moving = `const place = () => {
    const holder = document.querySelector(".holder");
    const way = holder.offsetHeight - innerHeight;
    const share = Math.max(0, Math.min(1, -holder.getBoundingClientRect().top / way));
    document.querySelector(".box").style.left = 300 * share + "px";
  };
  addEventListener("scroll", place);
  place();`;
const SCENE = `.scene { height: 100vh; background: rgb(0, 0, 60); position: relative; width: 100% } .box { position: absolute; top: 100px; width: 100px; height: 100px; background: green }`;
const scene = `<div class="scene"><div class="box"></div></div>`;

/** What the page has before and after its scene. */
const BEFORE = bands(2);
const AFTER = bands(3, 10);

const scenes = {
  "sticky in a wrapper that takes its height from a section": bandedPage(
    `${SCENE} section { height: 300vh } .holder { height: 100% } .scene { position: sticky; top: 0 }`,
    `${BEFORE}<section><div class="holder">${scene}</div></section>${AFTER}<script>${moving}</script>`,
  ),
  "sticky in an element of three windows": bandedPage(
    `${SCENE} .holder { height: 300vh } .scene { position: sticky; top: 0 }`,
    `${BEFORE}<div class="holder">${scene}</div>${AFTER}<script>${moving}</script>`,
  ),
  "fixed by a script, which makes room for its way, as GSAP ScrollTrigger does": bandedPage(
    `${SCENE} .holder { height: 300vh }`,
    `${BEFORE}<div class="holder">${scene}</div>${AFTER}<script>${moving}
      addEventListener("scroll", () => {
        const { top, bottom } = document.querySelector(".holder").getBoundingClientRect();
        const isPinned = top < 0 && bottom > innerHeight;
        document.querySelector(".scene").style.cssText = isPinned ? "position: fixed; top: 0; left: 0"
          : top < 0 ? "position: relative; top: 200vh" : "";
      });</script>`,
  ),
};

const SPACE_TOP = 2 * BAND;

sampled(test, 2).each(Object.entries(scenes))(
  "a pinned scene %s stands in the full page at its start, after each further window, and at its end",
  async (_, html) => {
    const image = await fullPageOf({ html });
    expect(image.height).toBe(SPACE_TOP + 3 * WINDOW_HEIGHT + 3 * BAND);
    expect(bandsAt(image, 20, { count: 2 })).toEqual(bandColours(2));
    expect(bandsAt(image, 20, { count: 3, top: SPACE_TOP + 3 * WINDOW_HEIGHT })).toEqual(bandColours(3, 10));
    const boxes = [50, 200, 350].map((x, stage) => image.colourAt(x, SPACE_TOP + stage * WINDOW_HEIGHT + 150));
    expect(boxes).toEqual(boxes.map(() => GREEN));
    expect([50, 200, 350].map((x) => image.countInColumn(x, GREEN))).toEqual([100, 100, 100]);
    expect(image.warnings).toEqual([]);
  },
);

describe.each(sample(Object.entries(scenes), 3))("a pinned scene %s", (_, html) => {
  slowTest("stands in the full page once, as it looks halfway, with full_page_pinned=once", async () => {
    const image = await fullPageOf({ html, full_page_pinned: "once" });
    expect(image.height).toBe(SPACE_TOP + WINDOW_HEIGHT + 3 * BAND);
    expect(bandsAt(image, 20, { count: 2 })).toEqual(bandColours(2));
    expect(bandsAt(image, 20, { count: 3, top: SPACE_TOP + WINDOW_HEIGHT })).toEqual(bandColours(3, 10));
    expect([image.countInColumn(200, GREEN), image.countInColumn(20, GREEN)]).toEqual([100, 0]);
    expect(image.colourAt(200, SPACE_TOP + 150)).toEqual(GREEN);
    expect(image.warnings).toEqual([
      "Scenes that stay in the window while the page scrolls are in the capture once, as they look halfway: " +
        "400 × 300 pixels at 0, 200. Set full_page_pinned=stages for a picture of each stage.",
    ]);
  });

  test("keeps the space in which it plays with full_page_pinned=as_is", async () => {
    const image = await fullPageOf({ html, full_page_pinned: "as_is" });
    expect(image.height).toBe(SPACE_TOP + 3 * WINDOW_HEIGHT + 3 * BAND);
    expect([image.colourAt(20, SPACE_TOP + 150), image.colourAt(20, SPACE_TOP + WINDOW_HEIGHT + 50)]).toEqual([
      GREEN,
      WHITE,
    ]);
    expect(image.warnings.filter((warning) => warning.includes("full_page_pinned"))).toEqual([]);
  });
});

describe("no pinned scene is", () => {
  sampled(test, 12).each([
    [
      "a large sticky element that other content passes by",
      `<main><div class="scene" style="width:60%;float:left"></div>${bands(6)}</main>`,
      6 * BAND,
    ],
    [
      "a sticky element that other content covers",
      `<main><div class="scene"></div>${bands(6)}</main>`,
      WINDOW_HEIGHT + 6 * BAND,
    ],
    ["a sticky bar", `<main style="height:900px"><div class="scene" style="height:60px"></div></main>`, 900],
  ])("%s", async (_, body, height) => {
    const image = await fullPageOf({ html: bandedPage(`${SCENE} .scene { position: sticky; top: 0 }`, body) });
    expect(image.height).toBe(height);
    expect(image.warnings.filter((warning) => warning.includes("full_page_pinned"))).toEqual([]);
  });
});

describe("a scene that looks the same in all its windows", () => {
  const still = (style: string) =>
    bandedPage(
      `.holder { height: 900px } .scene { position: sticky; top: 0; height: 300px; background: green; font-size: 30px }`,
      `${BEFORE}<div class="holder"><div class="scene" style="${style}">Always the same</div></div>${bands(4, 10)}`,
    );

  sampled(test, 2).each(["", "height: 200px; top: 50px"])("is shown once without a warning: %s", async (style) => {
    const image = await fullPageOf({ html: still(style) });
    const height = style === "" ? 300 : 200;
    expect(image.height).toBe(SPACE_TOP + height + 4 * BAND);
    expect(image.countInColumn(390, GREEN)).toBe(height);
    expect(bandsAt(image, 20, { count: 4, top: SPACE_TOP + height })).toEqual(bandColours(4, 10));
    expect(image.warnings).toEqual([]);
  });

  test("makes room for more of a page that ends at full_page_max_height", async () => {
    const image = await fullPageOf({ html: still(""), full_page_max_height: 800 });
    expect(image.height).toBe(800);
    expect(bandsAt(image, 20, { count: 3, top: 500 })).toEqual(bandColours(3, 10));
    expect(image.warnings).toHaveLength(1);
  });
});

test("a page with two scenes, and a fixed bar over them, shows each once without the bar", async () => {
  const holder = (colour: string) =>
    `<div style="height:200vh"><div style="position:sticky;top:0;height:100vh;background:${colour}"></div></div>`;
  const html = bandedPage(
    ".bar { position: fixed; top: 0; left: 0; right: 0; height: 40px; background: red }",
    `<div class="bar"></div>${bands(2)}${holder("green")}${bands(2, 10)}${holder("blue")}${bands(2, 20)}`,
  );
  const image = await fullPageOf({ html });
  expect(image.height).toBe(6 * BAND + 2 * WINDOW_HEIGHT);
  expect([GREEN, [0, 0, 255], [255, 0, 0]].map((colour) => image.countInColumn(200, colour))).toEqual([300, 300, 40]);
});
