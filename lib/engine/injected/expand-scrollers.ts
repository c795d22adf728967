/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Lays out in full height the elements that scroll in place of the page.
import { isSampled } from "./changes/layout-snapshot.ts";
import { describeElement } from "./dom/appearance.ts";
import { type Board, findBoard } from "./dom/board.ts";
import { noteExpanded } from "./dom/fixed-position.ts";
import { knownPageFrames } from "./dom/page-frames.ts";
import { findInnerScrollers } from "./dom/scrollers.ts";
import { openRoots } from "./dom/shadow-roots.ts";
import { lockedBody } from "./dom/window-sides.ts";
import { type Expansion, expandToContent } from "./expand-scroller.ts";

/** What became of an element that scrolls in place of the page. */
export interface ScrollerExpansion {
  readonly result: Expansion;
  /** The element, as a selector. */
  readonly scroller: string;
}

export interface Expansions {
  /** None where the page itself scrolls. */
  readonly scrollers: readonly ScrollerExpansion[];
  /** The element that scrolls several of them sideways, as a board does. */
  readonly board: Board | null;
  /** True where frames scroll in place of the page. */
  readonly hasFrames: boolean;
  /** True when the page has too many elements to measure all of them. */
  readonly isSampled: boolean;
}

/**
 * Gives their full height to the elements that scroll in place of the page, or to a body that is only kept from
 * scrolling.
 */
export async function expandScrollers(): Promise<Expansions> {
  const roots = openRoots();
  const hasFrames = knownPageFrames(roots).length > 0;
  const found = findInnerScrollers(roots);
  const body = found.length > 0 ? null : lockedBody();
  const board = findBoard(found);
  const scrollers: ScrollerExpansion[] = [];
  for (const element of body ? [body] : found) {
    const result = await expandToContent(element);
    if (result === "expanded") noteExpanded(element);
    scrollers.push({ result, scroller: describeElement(element) });
  }
  return { scrollers, board, hasFrames, isSampled: isSampled() };
}
