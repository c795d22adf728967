// Pages with lazy content that loads when it is about to be seen.
import { bandColour, PLACEHOLDER } from "../site-pages.ts";
import { bands, css, document, list, numberIn, type Pages, script, solidImage } from "./page.ts";

/** Height of a tile of `/lazy-gallery`; tile n begins n heights below the top. */
export const TILE_HEIGHT = 200;

/** Colour of an image of `/lazy-gallery`, `PLACEHOLDER` before it has come: each of the first 250 is different. */
export function tileColour(tile: number): number[] {
  return [(tile * 101) % 251, 255 - ((tile * 43) % 251), 120];
}

/** `/content-visibility`: bands of `height` px in sections for which the page guesses `guess` px. */
export const CONTENT_VISIBILITY = { sections: 20, height: 500, guess: 100 };

/** `/scroll-reveal`: section n begins n heights below the top, is white at first and then in `bandColour(n)`. */
export const SCROLL_REVEAL = { sections: 12, height: 400, transitionMs: 600 };

const TRANSPARENT_PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Ways in which a page puts off an image until it is near. */
const lazily: Readonly<Record<string, (address: string) => string>> = {
  native: (address) => `<img loading="lazy" alt="" src="${address}">`,
  observer: (address) => `<img class="observed" alt="" src="${TRANSPARENT_PIXEL}" data-src="${address}">`,
  scroll: (address) => `<img class="on-scroll" alt="" src="${TRANSPARENT_PIXEL}" data-src="${address}">`,
};

/** The page's own script for the images that it loads itself. */
const loadWhenNear = script(`
  const load = (image) => { image.src = image.dataset.src };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      load(target);
    }
  }, { rootMargin: "100px" });
  for (const image of document.querySelectorAll(".observed")) observer.observe(image);
  const loadVisible = () => {
    for (const image of document.querySelectorAll(".on-scroll")) {
      const { top, bottom } = image.getBoundingClientRect();
      if (top > innerHeight || bottom < 0) continue;
      image.classList.remove("on-scroll");
      load(image);
    }
  };
  addEventListener("scroll", loadVisible, { passive: true });
  loadVisible();
`);

export const lazyPages: Pages = {
  /**
   * `count` images (40 unless told), each answered `delay` ms (50) after it was asked for. `by` says what puts them
   * off: `native` is loading=lazy, `observer` an IntersectionObserver, `scroll` a scroll event; without it the even
   * ones are native and the odd ones observed.
   */
  "/lazy-gallery": (query) => {
    const delay = numberIn(query, "delay", 50);
    const by = query.get("by");
    const tiles = list(numberIn(query, "count", 40), (tile) => {
      const way = lazily[by ?? (tile % 2 === 0 ? "native" : "observer")];
      return `<div>${way?.(solidImage(tileColour(tile), delay, tile)) ?? ""}</div>`;
    });
    return document(`<style>
        div { height: ${TILE_HEIGHT}px; background: ${css(PLACEHOLDER)} }
        img { display: block; width: 100%; height: 100% }
      </style>${tiles.join("")}${loadWhenNear}`);
  },

  /** Sections with content-visibility: auto and a wrong guess of their height: the page grows as they are rendered. */
  "/content-visibility": () => {
    const { sections, height, guess } = CONTENT_VISIBILITY;
    const perSection = height / 100;
    return document(`<style>section { content-visibility: auto; contain-intrinsic-size: auto ${guess}px }</style>
      ${list(sections, (n) => `<section>${bands(perSection, n * perSection)}</section>`).join("")}`);
  },

  /** Sections that fade in and slide up, within 600 ms, once they have come into the window. */
  "/scroll-reveal": () => {
    const { sections, height, transitionMs } = SCROLL_REVEAL;
    const section = (n: number) => `<section><div style="background:${css(bandColour(n))}"></div></section>`;
    return document(`<style>
        section, div { height: ${height}px } section { overflow: hidden }
        div { opacity: 0; transform: translateY(40px); transition: opacity ${transitionMs}ms, transform ${transitionMs}ms }
        .seen div { opacity: 1; transform: none }
      </style>${list(sections, section).join("")}${script(`
        const observer = new IntersectionObserver((entries) => {
          for (const { isIntersecting, target } of entries) if (isIntersecting) target.classList.add("seen");
        }, { threshold: 0.1 });
        for (const section of document.querySelectorAll("section")) observer.observe(section);
      `)}`);
  },
};
