/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects virtualized lists in scrolling elements: they render only the rows that are near what they are scrolled to.
import { type LayoutSnapshot, takeSnapshot } from "./changes/layout-snapshot.ts";
import { colourAlpha } from "./dom/appearance.ts";
import { delay } from "./dom/document.ts";
import { contains } from "./dom/tree.ts";
import { nextFrame } from "./frames.ts";

/** A part of the height of a scrolling element, in CSS pixels of the window from the top of its content. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A part of a scroller that is blank over this share of its view is suspect. */
const SUSPECT_SHARE = 0.5;

/** Where a scroller of `view` pixels shows nothing in its content, if that is more than half of a view high; else null. */
export function largestGap(scroller: Element, view: number, layout?: LayoutSnapshot): Stretch | null {
  const end = scroller.scrollHeight * scroller.currentCSSZoom;
  let from = 0;
  let largest: Stretch = { from: 0, to: 0 };
  const close = (to: number) => {
    if (to - from > largest.to - largest.from) largest = { from, to };
  };
  for (const stretch of contentIn(scroller, view, layout)) {
    if (stretch.from > from) close(stretch.from);
    from = Math.max(from, stretch.to);
  }
  close(end);
  return largest.to - largest.from > SUSPECT_SHARE * view * scroller.currentCSSZoom ? largest : null;
}

/**
 * The parts of a scroller that have text, images or controls, or boxes that are no taller than its view; from top to bottom. What
 * is transparent, or scaled down to nothing, counts as well: the page reveals it when it is in view, but does not render it again.
 */
function contentIn(scroller: Element, view: number, layout = takeSnapshot()): Stretch[] {
  const zoom = scroller.currentCSSZoom;
  const start = scroller.getBoundingClientRect().top + window.scrollY;
  const top = start + (scroller.clientTop - scroller.scrollTop) * zoom;
  const found: Stretch[] = [];
  for (const [element, box] of layout.boxes) {
    const { seen, height, hasContent } = box;
    if (element === scroller || !(scroller.contains(element) || contains(scroller, element))) continue;
    if (seen === 0) {
      const hidden = hasContent && isRevealable(element) ? element.offsetHeight * zoom : 0;
      const middle = box.top + height / 2 - top;
      if (hidden > 0) found.push({ from: middle - hidden / 2, to: middle + hidden / 2 });
      continue;
    }
    if (height > view * zoom && !/^(img|svg|canvas|video|iframe)$/.test(element.localName)) continue;
    if (!hasContent && !isPainted(element)) continue;
    found.push({ from: box.top - top, to: box.top + height - top });
  }
  return found.sort((one, other) => one.from - other.from);
}

/** True for an element that has a place in the layout, although it cannot be seen. */
function isRevealable(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.checkVisibility();
}

function isPainted(element: Element): boolean {
  const { backgroundColor, backgroundImage, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
  return (
    backgroundImage !== "none" ||
    colourAlpha(backgroundColor) > 0 ||
    borderTopWidth !== "0px" ||
    borderBottomWidth !== "0px"
  );
}

const POLL_MS = 30;

/** Longest wait for a list to render what it shows now. */
const MAX_REACTION_MS = 300;

async function waitFor(condition: () => boolean): Promise<boolean> {
  const expiry = performance.now() + MAX_REACTION_MS;
  for (;;) {
    await nextFrame();
    if (condition()) return true;
    if (performance.now() >= expiry) return false;
    await delay(POLL_MS);
  }
}

/** Whether a scroller that has become taller fills its height soon, as lists do that watch their size. */
export function reactsToHeight(scroller: Element, view: number): Promise<boolean> {
  return waitFor(() => largestGap(scroller, view) === null);
}

/** Whether content appears in a blank part of a scroller once it is scrolled there. Scrolls back. */
export async function isVirtualized(scroller: Element, { from, to }: Stretch): Promise<boolean> {
  const view = scroller.clientHeight;
  const zoom = scroller.currentCSSZoom;
  const { scrollTop, scrollLeft } = scroller;
  const hasContentIn = (part: Stretch) =>
    contentIn(scroller, view).some((each) => Math.min(each.to, part.to) - Math.max(each.from, part.from) > 1);
  const middle = (from + to) / 2 / zoom;
  scroller.scrollTo({ top: Math.max(0, middle - view / 2), behavior: "instant" });
  const seen = { from: scroller.scrollTop * zoom, to: (scroller.scrollTop + view) * zoom };
  const gap = { from: Math.max(from, seen.from), to: Math.min(to, seen.to) };
  const hasAppeared = await waitFor(() => hasContentIn(gap));
  scroller.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" });
  if (hasAppeared) {
    const start = { from: scrollTop * zoom, to: (scrollTop + view) * zoom };
    await waitFor(() => hasContentIn(start));
    await nextFrame();
  }
  return hasAppeared;
}
