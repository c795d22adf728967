/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Visible elements: where they are, and which of a selector's matches are visible.
import type { Area } from "../../geometry/area.ts";
import { queryAll } from "./shadow-roots.ts";
import { parentElement } from "./tree.ts";

/**
 * The box of an element in CSS pixels of the window, or that of its contents when it has no size itself; null for one
 * that is not visible.
 */
export function visibleBox(element: Element): Area | null {
  const { visibility, overflow } = getComputedStyle(element);
  if (visibility !== "visible") return null;
  let box = element.getBoundingClientRect();
  if ((box.width === 0 || box.height === 0) && overflow === "visible") {
    const contents = document.createRange();
    contents.selectNodeContents(element);
    box = contents.getBoundingClientRect();
  }
  const { x, y, width, height } = box;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The first visible match. */
export function findVisible(selector: string): Element | undefined {
  return [...queryAll(document, selector)].find((element) => visibleBox(element) !== null);
}

/** The first visible match, or all of them with `every`. */
export function findAllVisible(selector: string, every: boolean): Element[] {
  const matches = [...queryAll(document, selector)].filter((element) => visibleBox(element) !== null);
  return every ? matches : matches.slice(0, 1);
}

/** True for an element that stays in place while the page scrolls, and for what is inside one. */
export function isFixedOrSticky(element: Element | null): boolean {
  for (let each = element; each; each = parentElement(each)) {
    if (/fixed|sticky/.test(getComputedStyle(each).position)) return true;
  }
  return false;
}
