// An application with an inner scroller, whose document is no taller than the viewport.
import { BAND_HEIGHT, bandColour, PLACEHOLDER } from "../site-pages.ts";
import { css, document, list, type Pages, script } from "./page.ts";

/**
 * `/app-shell`: band n of 40 begins at x = 200 and, scrolled to the top, y = 50 + 100 n. It is in `bandColour(n)`; each
 * third (2, 5, 8, …) shows `PLACEHOLDER` until it comes near the part of the scroller that is seen.
 */
export const APP_SHELL = {
  topBar: { height: 50, colour: [40, 40, 40] },
  sidebar: { width: 200, colour: [0, 110, 120] },
  bands: 40,
};

export function isLazyInAppShell(band: number): boolean {
  return band % 3 === 2;
}

const { topBar, sidebar } = APP_SHELL;

const layouts: Readonly<Record<string, string>> = {
  flex: `#shell { display: flex; flex-direction: column; height: 100% } #row { display: flex; flex: 1; min-height: 0 } main { flex: 1; overflow-y: auto }`,
  fixed: `#top { position: fixed; top: 0; left: 0; right: 0 } nav { position: fixed; top: ${topBar.height}px; left: 0; bottom: 0 } main { position: fixed; top: ${topBar.height}px; left: ${sidebar.width}px; right: 0; bottom: 0; overflow-y: scroll }`,
  grid: `#shell { display: grid; grid-template: ${topBar.height}px 1fr / ${sidebar.width}px 1fr; height: 100vh } #row { display: contents } #top { grid-column: 1 / 3 } main { overflow: auto; min-height: 0 }`,
};

export const appShellPages: Pages = {
  /** A top bar, a sidebar and a scroller `main`, laid out as `layout` says: flex, fixed or grid. */
  "/app-shell": (query) => {
    const content = list(APP_SHELL.bands, (band) => {
      const colour = css(bandColour(band));
      const fill = isLazyInAppShell(band) ? `class="lazy" data-colour="${colour}"` : `style="background:${colour}"`;
      return `<div id="band-${band}" ${fill}></div>`;
    });
    return document(`<style>
        html, body { height: 100%; overflow: hidden }
        #top { height: ${topBar.height}px; background: ${css(topBar.colour)} }
        nav { width: ${sidebar.width}px; background: ${css(sidebar.colour)} }
        main div { height: ${BAND_HEIGHT}px } .lazy { background: ${css(PLACEHOLDER)} }
        ${layouts[query.get("layout") ?? "flex"] ?? layouts["flex"]}
      </style>
      <div id="shell"><div id="top"></div><div id="row"><nav></nav><main>${content.join("")}</main></div></div>
      ${script(`
        const observer = new IntersectionObserver((entries) => {
          for (const { isIntersecting, target } of entries) if (isIntersecting) target.style.background = target.dataset.colour;
        }, { root: document.querySelector("main"), rootMargin: "50px" });
        for (const band of document.querySelectorAll(".lazy")) observer.observe(band);
      `)}`);
  },
};
