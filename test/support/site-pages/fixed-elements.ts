// Pages with fixed and sticky elements.
import { bands, css, document, list, type Pages } from "./page.ts";

/**
 * `/sticky-header`: 5000 px of bands from y = 60 on, in five sections, then the footer and 40 px for the bottom bar.
 * The title of section n covers the upper half of band 10n; the footer sticks right above the bottom bar.
 */
export const STICKY = {
  header: { height: 60, colour: [10, 20, 60] },
  title: { height: 50, colour: [250, 200, 40] },
  footer: { height: 30, colour: [120, 60, 20] },
  bottomBar: { height: 40, colour: [200, 20, 90] },
  sections: 5,
  bandsPerSection: 10,
  pageHeight: 60 + 5000 + 30 + 40,
};

/** `/cookie-wall`: a dialog in the middle of the window, with the buttons `#accept` and `#reject`. */
export const COOKIE_WALL = { width: 300, height: 160, colour: [250, 250, 210], backdropOpacity: 0.5 };

export const pinnedPages: Pages = {
  /** A fixed header, sticky section titles, a sticky footer and a fixed bar at the bottom: see `STICKY`. */
  "/sticky-header": () => {
    const { header, title, footer, bottomBar, sections, bandsPerSection } = STICKY;
    const section = (n: number) =>
      `<section><h2>Section ${n}</h2>${bands(bandsPerSection, n * bandsPerSection)}</section>`;
    return document(`<style>
        body { padding: ${header.height}px 0 ${bottomBar.height}px }
        header { position: fixed; z-index: 2; top: 0; width: 100%; height: ${header.height}px; background: ${css(header.colour)} }
        h2 { position: sticky; top: ${header.height}px; height: ${title.height}px; margin: 0 0 -${title.height}px; background: ${css(title.colour)}; font: 16px/50px sans-serif; text-align: center }
        footer { position: sticky; bottom: ${bottomBar.height}px; height: ${footer.height}px; background: ${css(footer.colour)} }
        #bar { position: fixed; bottom: 0; width: 100%; height: ${bottomBar.height}px; background: ${css(bottomBar.colour)} }
      </style><header></header><main>${list(sections, section).join("")}</main><footer></footer><div id="bar"></div>`);
  },

  /** Bands behind a dialog and its backdrop, and a body that cannot be scrolled until the dialog has been answered. */
  "/cookie-wall": () =>
    document(`<style>
        body { overflow: hidden }
        #backdrop { position: fixed; inset: 0; background: rgb(0 0 0 / ${COOKIE_WALL.backdropOpacity}) }
        #dialog { position: fixed; inset: 0; margin: auto; width: ${COOKIE_WALL.width}px; height: ${COOKIE_WALL.height}px; background: ${css(COOKIE_WALL.colour)}; font: 15px/1.4 sans-serif; text-align: center }
      </style>${bands(30)}
      <div id="backdrop"></div>
      <div id="dialog" role="dialog" aria-modal="true" aria-label="Cookies">
        <p>We and our partners use cookies. Do you agree?</p>
        <button id="accept">Accept all</button> <button id="reject">Reject all</button>
      </div>
      <script>
        for (const button of document.querySelectorAll("button")) button.onclick = () => {
          document.cookie = "consent=" + button.id;
          document.title = "Fixture, cookies: " + button.id;
          backdrop.remove();
          dialog.remove();
          document.body.style.overflow = "auto";
        };
      </script>`),
};
