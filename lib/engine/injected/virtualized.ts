/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects virtualized lists: pages that remove content again once it is far from the window.
import { observeFixed } from "./dom/fixed-position.ts";
import { pageScroll } from "./dom/scrollers.ts";
import { isFixedOrSticky } from "./dom/visible-box.ts";

/** What the window showed at a scroll position: the elements at some points, and their offsets on the page. */
interface View {
  readonly top: number;
  readonly bottom: number;
  readonly elements: readonly { readonly element: Element; readonly top: number }[];
}

const views: View[] = [];

/** Elements, and text nodes, that are looked at. */
const MAX_NODES = 20_000;

/**
 * Records what the window shows, for `countDiscardedViews`: no fixed or sticky elements, and no backgrounds. Nothing of a page
 * that does not scroll itself: `expandToContent` measures the element that scrolls in its place.
 */
export function recordView(): void {
  if (pageScroll() === 0) return;
  observeFixed();
  const { innerWidth, innerHeight, scrollY } = window;
  const found = new Map<Element, number>();
  for (const down of [0.15, 0.35, 0.55, 0.75, 0.95]) {
    for (const across of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const element = document.elementFromPoint(across * innerWidth, down * innerHeight);
      if (!element || found.has(element)) continue;
      const { top, height } = element.getBoundingClientRect();
      if (height <= innerHeight && !isFixedOrSticky(element)) found.set(element, top + scrollY);
    }
  }
  const elements = [...found].map(([element, top]) => ({ element, top }));
  views.push({ top: scrollY, bottom: scrollY + innerHeight, elements });
}

/**
 * How many recorded views down to `depth` have become empty: every element there was removed or moved, and no text,
 * picture or control has taken its place.
 */
export function countDiscardedViews(depth: number): number {
  const isGone = ({ element, top }: View["elements"][number]) => {
    const box = element.getBoundingClientRect();
    const offset = Math.abs(box.top + window.scrollY - top);
    return !element.isConnected || box.height === 0 || offset > window.innerHeight / 2;
  };
  let discarded = views.filter(
    ({ elements, bottom }) => bottom <= depth && elements.length > 0 && elements.every(isGone),
  );
  const keepUncovered = ({ top, bottom, width, height }: DOMRect) => {
    if (width === 0 || height === 0 || height > window.innerHeight) return;
    const [from, to] = [top + window.scrollY, bottom + window.scrollY];
    discarded = discarded.filter((view) => to <= view.top || from >= view.bottom);
  };
  if (discarded.length === 0) return 0;
  const elements = document.querySelectorAll("img, svg, canvas, video, iframe, input, button");
  for (const element of [...elements].slice(0, MAX_NODES)) keepUncovered(element.getBoundingClientRect());
  if (discarded.length === 0) return 0;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let visited = 0; visited < MAX_NODES && discarded.length > 0 && walker.nextNode() !== null; visited++) {
    if ((walker.currentNode.nodeValue ?? "").trim() === "") continue;
    range.selectNodeContents(walker.currentNode);
    keepUncovered(range.getBoundingClientRect());
  }
  return discarded.length;
}
