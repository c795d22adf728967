/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Scrolls a page while it is recorded as a video.
import { scrollingElement } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { findInnerScroller } from "./dom/scrollers.ts";
import { openRoots, queryAllRoots } from "./dom/shadow-roots.ts";

/** Loads lazy images and frames now: while frames are recorded, no time passes in which they could load. */
export function loadEagerly(): void {
  for (const lazy of queryAllRoots("img[loading=lazy], iframe[loading=lazy]")) lazy.setAttribute("loading", "eager");
}

/**
 * The largest scroll offset, in CSS pixels, of the element that `scrollRecordingTo` scrolls: 0 or less when everything is
 * in view.
 */
export function scrollExtent(): number {
  const scroller = recordedScroller();
  // Fields of a form hide the form's own properties.
  const height = (property: "scrollHeight" | "clientHeight") => readProperty(Element.prototype, property, scroller);
  // A page that is wider than the phone is zoomed out: the window then shows more of it than its own height.
  const view = scroller === document.scrollingElement ? window.innerHeight : 0;
  return height("scrollHeight") - Math.max(height("clientHeight"), view);
}

/**
 * Scrolls to `top`, in CSS pixels, at once, even where the page scrolls smoothly. Chromium rounds to whole pixels. Waits
 * for nothing, because the page's clock stands still meanwhile.
 */
export function scrollRecordingTo(top: number): void {
  const { scrollTo } = Element.prototype;
  Reflect.apply(scrollTo, recordedScroller(), [{ top, behavior: "instant" }]);
}

let scroller: Element | undefined;

/** The page, or the element that scrolls in its place: looked for once, because a page can have very many elements. */
function recordedScroller(): Element {
  if (scroller) return scroller;
  const { body, documentElement: page } = document;
  const isLocked = [body, page].every((each) => each && getComputedStyle(each).overflowY === "hidden");
  // A page that was kept from scrolling, as by a consent banner that is hidden now: scripts can still scroll it.
  const locked = isLocked && body.scrollHeight > body.clientHeight + 1 ? body : null;
  const found = findInnerScroller(openRoots()) ?? locked ?? scrollingElement();
  // Scroll snapping would jump from one snap position to the next.
  for (const element of [found, body, page]) {
    if (!(element instanceof HTMLElement)) continue; // a document can be an SVG
    const style = readProperty(HTMLElement.prototype, "style", element);
    style.setProperty("scroll-snap-type", "none", "important");
  }
  scroller = found;
  return found;
}
