/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds what paper cuts off at the side because it can't be scrolled there, such as long lines of code and wide tables.
import { describeElement } from "./dom/appearance.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";

/** Less is a shadow, or a rounding. */
const MIN_HIDDEN_PIXELS = 8;
const MIN_SIDE = 8;

/** Code and tables, and what is around them. */
const CANDIDATES = "pre, code, samp, :has(pre), :has(table)";

export interface PaperCut {
  readonly element: string;
  readonly isCode: boolean;
  /** The width that is printed, and that of the content, in CSS pixels. */
  readonly shownWidth: number;
  readonly width: number;
}

/** The box that loses most of its content; null where none does. The window must be as wide as the sheet. */
export function findPaperCut(): PaperCut | null {
  const cuts = queryAllRoots<HTMLElement>(CANDIDATES).filter(isCut);
  const widest = cuts.sort((one, other) => hiddenPixels(other) - hiddenPixels(one)).at(0);
  if (!widest) return null;
  const { clientWidth: shownWidth, scrollWidth: width } = widest;
  return { element: describeElement(widest), isCode: holdsCode(widest), shownWidth, width };
}

function hiddenPixels({ scrollWidth, clientWidth }: HTMLElement): number {
  return scrollWidth - clientWidth;
}

/** True for code and tables in a box that scrolls or hides them; carousels and boards show what is next at another time. */
function isCut(element: HTMLElement): boolean {
  if (hiddenPixels(element) < MIN_HIDDEN_PIXELS || element.clientWidth < MIN_SIDE || element.clientHeight < MIN_SIDE)
    return false;
  const { overflowX } = getComputedStyle(element);
  if (!/auto|scroll|hidden/.test(overflowX) || element === document.scrollingElement) return false;
  return element.checkVisibility();
}

function holdsCode(element: HTMLElement): boolean {
  return (
    element.matches("pre, code, samp") || (element.querySelector("pre") !== null && !element.querySelector("table"))
  );
}
