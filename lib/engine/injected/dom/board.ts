/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Boards: elements that scroll their panes sideways.
import { describeElement } from "./appearance.ts";
import { contains, parentElement } from "./tree.ts";

/** An element that scrolls its panes sideways, as a selector. Widths are in CSS pixels. */
export interface Board {
  readonly element: string;
  readonly shownWidth: number;
  readonly width: number;
}

/** The board around several panes, or null without one. */
export function findBoard(panes: readonly Element[]): Board | null {
  const [first, ...others] = panes;
  for (let each = first && parentElement(first); each; each = parentElement(each)) {
    const { scrollWidth: width, clientWidth: shownWidth } = each;
    if (width <= shownWidth + 1 || !/auto|scroll/.test(getComputedStyle(each).overflowX)) continue;
    const board = each;
    if (others.some((other) => contains(board, other))) return { element: describeElement(board), shownWidth, width };
  }
  return null;
}
