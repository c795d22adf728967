/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Which fixed and sticky elements follow the window, and which move with the page.
import { containingBlock } from "./containing-block.ts";
import { documentBody, documentElement } from "./document.ts";
import { queryAllRoots } from "./shadow-roots.ts";
import { parentElement } from "./tree.ts";

/** Elements that stay in place on the page although they are fixed, as scrolling has shown. */
const flowing = new WeakSet<Element>();

/**
 * True for a fixed element that stays where it is in the window. Inside of one that is transformed, filtered or contained it
 * does not, nor when it is anchored to an element of the page.
 */
export function isFixedToWindow(element: Element): boolean {
  if (flowing.has(element) || isAnchored(element)) return false;
  // The offset parent of a fixed element is the element in which it is fixed, if there is one, or a zoomed one.
  if (element instanceof HTMLElement && element.currentCSSZoom === 1) return element.offsetParent === null;
  const parent = parentElement(element);
  return parent === null || containingBlock(parent, "fixed") === null;
}

/** Elements that scroll in place of the page, and have been laid out in full height. */
const expanded = new Set<Element>();

export function noteExpanded(scroller: Element): void {
  expanded.add(scroller);
}

/** Forgets all of them: their changes were taken back. */
export function forgetExpanded(): void {
  expanded.clear();
}

export function expandedScrollers(): ReadonlySet<Element> {
  return expanded;
}

/**
 * True for a sticky element that sticks to the window's edges, or to those of an element that scrolls in place of the page. One in
 * another scroll container looks the same wherever the page is scrolled to.
 */
export function isStickyToWindow(element: Element): boolean {
  for (let each = parentElement(element); each && each !== documentElement(); each = parentElement(each)) {
    if (expanded.has(each)) return true;
    if (isScrollContainer(each) && !(each === documentBody() && givesOverflowToWindow())) return false;
  }
  return true;
}

/** Also an element that hides its overflow, which scripts can scroll. */
function isScrollContainer(element: Element): boolean {
  return !/^(visible|clip)$/.test(getComputedStyle(element).overflowY);
}

/** True where the overflow of the body is that of the window. */
function givesOverflowToWindow(): boolean {
  const root = documentElement();
  return root !== null && getComputedStyle(root).overflowY === "visible";
}

/** Notes that scrolling has moved a fixed element with the page. */
export function noteFlowing(element: Element): void {
  flowing.add(element);
}

function isAnchored(element: Element): boolean {
  const style = getComputedStyle(element);
  const [area, anchor] = [style.getPropertyValue("position-area"), style.getPropertyValue("position-anchor")];
  return !/^(none)?$/.test(area) || anchor.startsWith("--");
}

/** Where each fixed element was in the window when the page was at its top. */
let topsAtStart: Map<Element, number> | undefined;

/** Notes which fixed elements move with the page, each time when it has been scrolled. The first call is at its top. */
export function observeFixed(): void {
  const { scrollY } = window;
  if (!topsAtStart) {
    if (scrollY !== 0) return;
    const fixed = queryAllRoots<Element>("*").filter((element) => getComputedStyle(element).position === "fixed");
    topsAtStart = new Map(fixed.map((element) => [element, element.getBoundingClientRect().top]));
    return;
  }
  if (scrollY === 0) return;
  for (const [element, top] of topsAtStart) {
    const now = element.getBoundingClientRect();
    if (now.height === 0) continue;
    if (Math.abs(now.top + scrollY - top) <= 1 && getComputedStyle(element).position === "fixed") flowing.add(element);
    else flowing.delete(element);
  }
}
