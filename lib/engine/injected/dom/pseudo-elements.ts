/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Pseudo-elements that paint something: finds them, and styles them through a constructed style sheet.
import type { Declarations, Journal } from "../changes/journal.ts";
import { openRoots, queryAll, type Root } from "./shadow-roots.ts";

export interface PseudoElement {
  /** The element that it belongs to. */
  readonly element: Element;
  readonly name: "::before" | "::after" | "::backdrop";
}

/** The `::before` and `::after`, and the `::backdrop` of elements in the top layer, whose computed style passes the test. */
export function findPseudoElements(test: (style: CSSStyleDeclaration) => boolean): PseudoElement[] {
  const found: PseudoElement[] = [];
  for (const root of openRoots()) {
    for (const element of queryAll(root, "*")) {
      for (const name of ["::before", "::after"] as const) {
        const style = getComputedStyle(element, name);
        const { content } = style;
        if (content === "none" || content === "normal" || content === "" || style.display === "none") continue;
        if (test(style) && element.checkVisibility()) found.push({ element, name });
      }
    }
    for (const element of queryAll(root, ":modal, :popover-open")) {
      const style = getComputedStyle(element, "::backdrop");
      if (style.display !== "none" && test(style)) found.push({ element, name: "::backdrop" });
    }
  }
  return found;
}

const MARK = "data-pseudo-element";

/** Styles pseudo-elements. Their elements get an attribute that a style sheet of the same root selects. */
export function stylePseudoElements(
  journal: Journal,
  styles: ReadonlyMap<PseudoElement, Declarations>,
): readonly CSSStyleSheet[] {
  const rules = new Map<Root, string[]>();
  for (const [{ element, name }, declarations] of styles) {
    const root = Node.prototype.getRootNode.call(element) as Root;
    const number = element.getAttribute(MARK) ?? String(++marked);
    if (!element.hasAttribute(MARK)) journal.setAttribute(element, MARK, number);
    const text = Object.entries(declarations).map(([property, value]) => `${property}:${value}!important`);
    // More specific than any selector of the page that is likely.
    const rule = `[${MARK}="${number}"]:not(#\\:a#\\:b#\\:c)${name}{${text.join(";")}}`;
    rules.set(root, [...(rules.get(root) ?? []), rule]);
  }
  return [...rules].map(([root, list]) => journal.adoptSheet(root, list.join("\n")));
}

let marked = 0;
