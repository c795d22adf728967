// Pages laid out by the viewport size, which show when it was changed.
import { GREEN, RED } from "../site-pages.ts";
import { bands, css, document, list, numberIn, type Pages, script } from "./page.ts";

/**
 * `/hero`: the hero is as tall as the window, the sections are at least that, and `bands` bands follow them. Both
 * markers are GREEN at first. The first turns RED at any resize event or change of height, which Chromium causes by
 * itself: a picture beyond the viewport shows the page a window of 1 × 1 for a moment. The second turns RED only when
 * the window was ever larger than at first, as it is for who enlarges it to the page.
 */
export const HERO = {
  colour: [90, 30, 130],
  marker: { x: 0, y: 0, width: 20, height: 20 },
  grownMarker: { x: 20, y: 0, width: 20, height: 20 },
  bands: 20,
};

/** Colour of a section of `/hero`. */
export function sectionColour(section: number): number[] {
  return [240, (section * 50) % 256, (120 + section * 90) % 256];
}

/** The blocks of `/vh-units` from top to bottom; each `share` is of the window's height. */
export const VH_UNITS = [
  { unit: "dvh", share: 1, colour: [200, 30, 30] },
  { unit: "svh", share: 1, colour: [30, 160, 60] },
  { unit: "lvh", share: 1, colour: [30, 60, 200] },
  { unit: "vh", share: 0.5, colour: [220, 180, 20] },
] as const;

export const viewportPages: Pages = {
  /** A hero of 100vh, `sections` sections (none unless told) of min-height 100vh, and bands. Its title counts resizes. */
  "/hero": (query) => {
    const sections = list(
      numberIn(query, "sections", 0),
      (section) => `<section style="min-height:100vh;background:${css(sectionColour(section))}"></section>`,
    );
    return document(`<div style="height:100vh;background:${css(HERO.colour)}"></div>${sections.join("")}${bands(HERO.bands)}
      ${marker("marker", HERO.marker)}${marker("grown", HERO.grownMarker)}
      ${script(`
        const [width, heights] = [innerWidth, [innerHeight]];
        let events = 0;
        const look = () => {
          if (innerHeight !== heights.at(-1)) heights.push(innerHeight);
          document.title = "resize events: " + events + ", heights: " + heights;
          if (events > 0 || heights.length > 1) marker.style.background = "${css(RED)}";
          if (innerWidth > width || innerHeight > heights[0]) grown.style.background = "${css(RED)}";
        };
        addEventListener("resize", () => { events++; look() });
        setInterval(look, 10);
        look();
      `)}`);
  },

  /** The blocks of `VH_UNITS`, and ten bands. */
  "/vh-units": () =>
    document(
      VH_UNITS.map(
        ({ unit, share, colour }) => `<div style="height:${share * 100}${unit};background:${css(colour)}"></div>`,
      ).join("") + bands(10),
    ),
};

function marker(id: string, { x, y, width, height }: { x: number; y: number; width: number; height: number }): string {
  return `<div id="${id}" style="position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px;background:${css(GREEN)}"></div>`;
}
