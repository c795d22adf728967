/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Prepares a page to be painted as one tall picture.
import { Journal } from "./changes/journal.ts";
import { isSampled } from "./changes/layout-snapshot.ts";
import { isNear, type MeasuredChange, tryChange, tryEachChange } from "./changes/measured-change.ts";
import { describeElement } from "./dom/appearance.ts";
import { type Board, findBoard } from "./dom/board.ts";
import { expandedScrollers, isFixedToWindow, noteExpanded } from "./dom/fixed-position.ts";
import { knownPageFrames } from "./dom/page-frames.ts";
import { findInnerScrollers } from "./dom/scrollers.ts";
import { openRoots, queryAll, queryAllRoots } from "./dom/shadow-roots.ts";
import { contains, parentElement } from "./dom/tree.ts";
import { lockedBody } from "./dom/window-sides.ts";
import { type Expansion, expandToContent } from "./expand-scroller.ts";
import { nextFrame } from "./frames.ts";

/** Renders content that `content-visibility: auto` renders near the window only. */
export function renderEverything(): void {
  const skipping = queryAllRoots<Element>("*").filter(
    (element) => getComputedStyle(element).getPropertyValue("content-visibility") === "auto",
  );
  tryEachChange(skipping, renderSkipped);
}

/** The elements stay contained as they were, so that what is fixed in them stays there. */
function renderSkipped(elements: readonly Element[]): MeasuredChange {
  const rendered = new Set(elements);
  const isInside = (element: Element) => {
    for (let each: Element | null = element; each; each = parentElement(each)) if (rendered.has(each)) return true;
    return false;
  };
  return {
    apply: (journal) => {
      const declarations = elements.map((element) => {
        const { contain } = getComputedStyle(element);
        return { "content-visibility": "visible", contain: withContent(contain) };
      });
      for (const [index, element] of elements.entries()) journal.setStyle(element, declarations[index] ?? {});
    },
    hasWorked: () => elements.every((element) => getComputedStyle(element).contentVisibility !== "auto"),
    // Its height is a guess of the page until it is rendered, so that what is below it moves.
    explains: ({ element, before, after }) =>
      isInside(element) || (isNear(before.left, after.left) && isNear(before.width, after.width)),
    mayGrowPage: true,
  };
}

function withContent(contain: string): string {
  if (contain === "strict" || contain === "content") return contain;
  const size = contain.split(" ").filter((value) => /size$/.test(value));
  return [...size, "layout", "paint", "style"].join(" ");
}

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

/**
 * Makes Chromium paint all of what has grown. Otherwise it leaves out content that was outside of a scroller before, because it
 * keeps the rectangles to which it limits the painting of each layer. It computes them again when an element gets a transform; or,
 * for most content, another effect, where a transform would move fixed elements in it.
 */
export async function repaint(): Promise<void> {
  const fixed = queryAllRoots<Element>("*").filter(
    (element) => getComputedStyle(element).position === "fixed" && isFixedToWindow(element),
  );
  const grown = [...expandedScrollers(), ...knownPageFrames(openRoots())];
  for (const elements of [grown, [document.documentElement]]) {
    const journal = new Journal();
    for (const element of elements) {
      const hasFixed = fixed.some((each) => contains(element, each));
      journal.setStyle(element, { "will-change": hasFixed ? "opacity" : "transform" });
    }
    await nextFrame();
    journal.revert();
  }
}

/**
 * Hides `noscript` elements, and makes `scripting` media queries match as they do with scripts: a tall picture is taken
 * while the scripts of the page are disabled.
 */
export function hideNoScript(): void {
  const elements: Element[] = [];
  const rules: CSSMediaRule[] = [];
  for (const root of openRoots()) {
    elements.push(...queryAll(root, "noscript"));
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try {
        rules.push(...scriptingQueries(sheet.cssRules));
      } catch {
        // A style sheet of another origin cannot be read.
      }
    }
  }
  if (elements.length + rules.length === 0) return;
  tryChange({
    apply: (journal) => {
      for (const element of elements) journal.setStyle(element, { display: "none" });
      for (const rule of rules) journal.setMedia(rule, withScripts(rule.media.mediaText));
    },
    hasWorked: () => elements.every((element) => !element.checkVisibility()),
    explains: () => false,
    mayGrowPage: false,
    detail: "boxes",
  });
}

function scriptingQueries(rules: CSSRuleList): CSSMediaRule[] {
  return [...rules].flatMap((rule) => [
    ...(rule instanceof CSSMediaRule && rule.media.mediaText.includes("scripting") ? [rule] : []),
    ...(rule instanceof CSSGroupingRule ? scriptingQueries(rule.cssRules) : []),
  ]);
}

/** Media queries that match without scripts as these do with them. */
function withScripts(mediaText: string): string {
  return mediaText
    .replace(/\(scripting: (none|initial-only)\)/g, "(width < 0px)")
    .replace(/\(scripting(: enabled)?\)/g, "(width >= 0px)");
}
