/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Scrolls an element into view for a click, and restores the scroll positions afterwards.
import { readProperty } from "./dom/read-property.ts";
import { parentElement } from "./dom/tree.ts";
import { findVisible } from "./dom/visible-box.ts";

interface Position {
  readonly left: number;
  readonly top: number;
}

let scrolled: readonly { readonly scroller: Element; readonly from: Position; readonly to: Position }[] = [];

/**
 * Scrolls the first visible match into view, and remembers the scroll positions for `scrollBack`. `isDisabled` is true
 * for a control that ignores clicks.
 */
export function scrollIntoView(selector: string): { isDisabled: boolean } {
  const element = findVisible(selector);
  if (!element) return { isDisabled: false };
  const positions = new Map<Element, Position>();
  const root = readProperty(Document.prototype, "scrollingElement", document);
  if (root) positions.set(root, { left: root.scrollLeft, top: root.scrollTop });
  for (let scroller = parentElement(element); scroller; scroller = parentElement(scroller)) {
    positions.set(scroller, { left: scroller.scrollLeft, top: scroller.scrollTop });
  }
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  }
  scrolled = [...positions]
    .filter(([scroller, from]) => scroller.scrollLeft !== from.left || scroller.scrollTop !== from.top)
    .map(([scroller, from]) => ({ scroller, from, to: { left: scroller.scrollLeft, top: scroller.scrollTop } }));
  return { isDisabled: element.matches(":disabled, :disabled *") };
}

/** Undoes the scrolling of `scrollIntoView`, except where something has scrolled since. */
export function scrollBack(): void {
  for (const { scroller, from, to } of scrolled) {
    if (scroller.scrollLeft !== to.left || scroller.scrollTop !== to.top) continue;
    scroller.scrollTo({ ...from, behavior: "instant" });
  }
  scrolled = [];
}
