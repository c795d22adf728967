/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Elements that scroll in place of the page, as in an application whose frame is as tall as the window.
import { scrollingElement } from "./document.ts";
import { queryAll, type Root } from "./shadow-roots.ts";

/**
 * How far the page scrolls, in CSS pixels; 0 for a page that is kept from scrolling, and for one that is at most a quarter of the
 * window taller than it: many are so by accident.
 */
export function pageScroll(): number {
  const below = scrollableBelow();
  return below > 0.25 * window.innerHeight ? below : 0;
}

function scrollableBelow(): number {
  const page = scrollingElement();
  const isLocked = /hidden|clip/.test(getComputedStyle(page).overflowY);
  return isLocked ? 0 : page.scrollHeight - window.innerHeight;
}

/** The largest scrolling element that fills most of the window; null when the page itself scrolls, as `pageScroll` says. */
export function findInnerScroller(roots: readonly Root[]): HTMLElement | null {
  if (pageScroll() > 0) return null;
  const [page, below] = [scrollingElement(), scrollableBelow()];
  const area = (element: Element) => element.clientHeight * element.clientWidth * element.currentCSSZoom ** 2;
  let scroller: HTMLElement | null = null;
  for (const root of roots) {
    for (const element of queryAll<HTMLElement>(root, "*")) {
      if (element === page || element.scrollHeight <= element.clientHeight + Math.max(1, below)) continue;
      if (area(element) <= 0.3 * window.innerHeight * window.innerWidth) continue;
      if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      if (!scroller || area(element) > area(scroller)) scroller = element;
    }
  }
  return scroller;
}
