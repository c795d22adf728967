/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects pages that remove content again once it is far from the window: virtualized lists, and charts that are drawn while in view.
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";
import { isFixedOrSticky } from "./dom/visible-box.ts";

/** What the window showed at a scroll position: the elements at some points, and their offsets on the page. */
interface View {
  readonly top: number;
  readonly bottom: number;
  readonly elements: readonly { readonly element: Element; readonly top: number }[];
}

const views: View[] = [];

/** Pictures that were in view, and the elements around each of them, the closest at first. */
const seenPictures = new Map<Element, readonly Element[]>();

const PICTURES = "canvas, svg, img, video, iframe";

/** Pictures that are looked at in a window, how far around each of them, and the side of the smallest, in CSS pixels. */
const MAX_PICTURES = 200;
const MAX_AROUND = 6;
const MIN_SIDE = 40;

/** Elements, and text nodes, that are looked at. */
const MAX_NODES = 20_000;

/** Records what the window shows, for `countDiscardedViews`: no fixed or sticky elements, and no backgrounds. */
export function recordView(): void {
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

/** Records the pictures in the window, for `countDiscardedPictures`. */
export function recordPictures(): void {
  const inView = queryAllRoots<Element>(PICTURES).filter((picture) => {
    const { top, bottom, width, height } = picture.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight && Math.min(width, height) >= MIN_SIDE;
  });
  for (const picture of inView.slice(0, MAX_PICTURES)) {
    if (seenPictures.has(picture) || isFixedOrSticky(picture)) continue;
    const around: Element[] = [];
    for (let each = parentElement(picture); each && around.length < MAX_AROUND; each = parentElement(each))
      around.push(each);
    seenPictures.set(picture, around);
  }
}

/** How many pictures that were in view have left nothing but the box around them, which shows no other picture now. */
export function countDiscardedPictures(): number {
  return [...seenPictures].filter(([picture, around]) => {
    if (picture.isConnected && isShown(picture)) return false;
    const box = around.find((each) => each.isConnected && isShown(each));
    if (!box || box.getBoundingClientRect().height > window.innerHeight) return false;
    return ![...box.querySelectorAll(PICTURES)].some(isShown);
  }).length;
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
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
