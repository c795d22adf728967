/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Renders the content that a page renders near the window only, with `content-visibility: auto`.
import { isNear, type MeasuredChange, tryEachChange } from "./changes/measured-change.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";

/** Renders content that `content-visibility: auto` renders near the window only. */
export function renderSkippedContent(): void {
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
