/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: finds out whether a page keeps only what is near its window (a virtualized list).

/** What the window showed at a scroll position: the elements at some points, and where they lay on the page. */
interface View {
  readonly top: number;
  readonly bottom: number;
  readonly elements: readonly { readonly element: Element; readonly top: number }[];
}

/** Notes what the window shows, for `countLostViews`. Leaves out what is pinned to the window, and mere backgrounds. */
export function recordView(): void {
  const { innerWidth, innerHeight, scrollY } = window;
  const isPinned = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(each).position)) return true;
    }
    return false;
  };
  const found = new Map<Element, number>();
  for (const down of [0.15, 0.35, 0.55, 0.75, 0.95]) {
    for (const across of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const element = document.elementFromPoint(across * innerWidth, down * innerHeight);
      if (!element || found.has(element)) continue;
      const { top, height } = element.getBoundingClientRect();
      if (height <= innerHeight && !isPinned(element)) found.set(element, top + scrollY);
    }
  }
  const world = globalThis as { views?: View[] };
  world.views ??= [];
  const elements = [...found].map(([element, top]) => ({ element, top }));
  world.views.push({ top: scrollY, bottom: scrollY + innerHeight, elements });
}

/**
 * How many of the views down to `depth` have become empty: all that was there has been removed or lies elsewhere, and no
 * text, picture or control has taken its place.
 */
export function countDiscardedViews(depth: number): number {
  const { views = [] } = globalThis as { views?: View[] };
  const isGone = ({ element, top }: View["elements"][number]) => {
    const box = element.getBoundingClientRect();
    return (
      !element.isConnected || box.height === 0 || Math.abs(box.top + window.scrollY - top) > window.innerHeight / 2
    );
  };
  let lost = views.filter(({ elements, bottom }) => bottom <= depth && elements.length > 0 && elements.every(isGone));
  const shows = ({ top, bottom, width, height }: DOMRect) => {
    if (width === 0 || height === 0 || height > window.innerHeight) return;
    const [from, to] = [top + window.scrollY, bottom + window.scrollY];
    lost = lost.filter((view) => to <= view.top || from >= view.bottom);
  };
  const most = 20_000;
  const elements = lost.length > 0 ? document.querySelectorAll("img, svg, canvas, video, iframe, input, button") : [];
  for (const element of [...elements].slice(0, most)) shows(element.getBoundingClientRect());
  if (lost.length === 0) return 0;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let seen = 0; seen < most && lost.length > 0 && walker.nextNode() !== null; seen++) {
    if ((walker.currentNode.nodeValue ?? "").trim() === "") continue;
    range.selectNodeContents(walker.currentNode);
    shows(range.getBoundingClientRect());
  }
  return lost.length;
}
