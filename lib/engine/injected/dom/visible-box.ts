/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Visible elements: where they are, and which of a selector's matches are visible.
import { type Area, intersect } from "../../geometry/area.ts";
import { containingBlock } from "./containing-block.ts";
import { openShadowRoots, queryAll } from "./shadow-roots.ts";
import { parentElement } from "./tree.ts";

/**
 * The box of an element in CSS pixels of the window, or that of its contents when it has no size itself; null for one
 * that is not visible.
 */
export function visibleBox(element: Element): Area | null {
  const { visibility, overflow } = getComputedStyle(element);
  if (visibility !== "visible" || !isRendered(element)) return null;
  let box = element.getBoundingClientRect();
  if ((box.width === 0 || box.height === 0) && overflow === "visible") {
    const contents = document.createRange();
    contents.selectNodeContents(element);
    box = contents.getBoundingClientRect();
  }
  const { x, y, width, height } = box;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** False for an element without a box, and inside closed details, whose content has boxes that are not painted. */
function isRendered(element: Element): boolean {
  if (element.checkVisibility()) return true;
  const hasNoBox = getComputedStyle(element).display === "contents";
  return hasNoBox && !element.closest("details:not([open]) > :not(summary)");
}

/** The part of a visible box that scrolling and clipping elements around it show; null when it is scrolled or cut away. */
export function shownPart(element: Element): Area | null {
  let shown = visibleBox(element) ?? undefined;
  for (let around = clippingParent(element); shown && around; around = clippingParent(around)) {
    if (around === document.body || around === document.documentElement) break; // the window shows their overflow
    const { overflowX, overflowY } = getComputedStyle(around);
    const { x, y, width, height } = around.getBoundingClientRect();
    const across = overflowX === "visible" ? { x: shown.x, width: shown.width } : { x, width };
    const down = overflowY === "visible" ? { y: shown.y, height: shown.height } : { y, height };
    shown = intersect(shown, { ...across, ...down });
  }
  return shown ?? null;
}

/** The next element outwards that clips an element if it clips anything. */
function clippingParent(element: Element): Element | null {
  const parent = element.assignedSlot ?? parentElement(element);
  const { position } = getComputedStyle(element);
  return parent && (position === "absolute" || position === "fixed") ? containingBlock(parent, position) : parent;
}

/** The elements that match, in the document, or in its open shadow roots where none does; with `every`, in all of them. */
export function findMatches(selector: string, every: boolean): Element[] {
  const matches = [...queryAll(document, selector)];
  if (matches.length > 0 && !every) return matches;
  const roots = openShadowRoots(Number.POSITIVE_INFINITY);
  return [...matches, ...roots.flatMap((root) => [...queryAll(root, selector)])];
}

/** The first visible match. */
export function findVisible(selector: string): Element | undefined {
  return findMatches(selector, false).find((element) => visibleBox(element) !== null);
}

/** The first visible match, or all of them with `every`. */
export function findAllVisible(selector: string, every: boolean): Element[] {
  const matches = findMatches(selector, every).filter((element) => visibleBox(element) !== null);
  return every ? matches : matches.slice(0, 1);
}

/** True for an element that stays in place while the page scrolls, and for what is inside one. */
export function isFixedOrSticky(element: Element | null): boolean {
  for (let each = element; each; each = parentElement(each)) {
    if (/fixed|sticky/.test(getComputedStyle(each).position)) return true;
  }
  return false;
}
