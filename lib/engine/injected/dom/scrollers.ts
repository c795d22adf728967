/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Elements that scroll in place of the page, as in an application whose frame is as tall as the window.
import { scrollingElement } from "./document.ts";
import { isInWindow } from "./in-window.ts";
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

/** Least share of the window that is scrolled in place of the page, and of its height that one of several panes takes. */
export const MIN_SHARE = 0.3;
const MIN_PANE_HEIGHT = 0.4;

/** Least width of a pane, in CSS pixels. */
const MIN_PANE_WIDTH = 100;

/**
 * The elements that scroll in place of the page, the largest first: one that fills much of the window, and tall panes next to
 * or below it, or panes that fill much of it together; and together with `frames`, which scroll, too. None when the page itself scrolls,
 * as `pageScroll` says.
 */
export function findInnerScrollers(roots: readonly Root[], frames: readonly Element[] = []): HTMLElement[] {
  if (pageScroll() > 0) return [];
  const [page, below] = [scrollingElement(), scrollableBelow()];
  const windowArea = window.innerHeight * window.innerWidth;
  const found: HTMLElement[] = [];
  for (const root of roots) {
    for (const element of queryAll<HTMLElement>(root, "*")) {
      if (element === page || element.scrollHeight <= element.clientHeight + Math.max(1, below)) continue;
      if (area(element) <= MIN_SHARE * windowArea && !isTall(element)) continue;
      if (/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) found.push(element);
    }
  }
  const scrollers: HTMLElement[] = [];
  for (const element of found.sort((one, other) => area(other) - area(one))) {
    const others = [...frames, ...scrollers];
    const isFirst = others.length === 0 && area(element) > MIN_SHARE * windowArea;
    if (isFirst || isPaneBeside(element, others)) scrollers.push(element);
  }
  const total = [...frames, ...scrollers].reduce((sum, element) => sum + area(element), 0);
  return total > MIN_SHARE * windowArea ? scrollers : [];
}

/** The largest of the elements that scroll in place of the page. */
export function findInnerScroller(roots: readonly Root[]): HTMLElement | null {
  return findInnerScrollers(roots)[0] ?? null;
}

/** In square pixels of the window. */
function area(element: Element): number {
  return element.clientHeight * element.clientWidth * element.currentCSSZoom ** 2;
}

function isTall({ clientHeight, clientWidth, currentCSSZoom }: Element): boolean {
  return clientHeight * currentCSSZoom >= MIN_PANE_HEIGHT * window.innerHeight && clientWidth >= MIN_PANE_WIDTH;
}

/** True for an element that is in the window, and neither in one of the others nor over it, as a drawer is. */
export function isPaneBeside(element: Element, others: readonly Element[]): boolean {
  if (!isTall(element) || !isInWindow(element)) return false;
  const box = element.getBoundingClientRect();
  return others.every((other) => {
    const { left, right, top, bottom } = other.getBoundingClientRect();
    return box.right <= left + 1 || box.left >= right - 1 || box.bottom <= top + 1 || box.top >= bottom - 1;
  });
}
