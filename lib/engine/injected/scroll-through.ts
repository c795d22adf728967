/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Scrolls through the page, so that content loads that waits to be near the window.
import { delay, scrollingElement } from "./dom/document.ts";
import { findFrameElements } from "./dom/page-frames.ts";
import { findInnerScrollers } from "./dom/scrollers.ts";
import { openRoots, queryAll, queryAllRoots } from "./dom/shadow-roots.ts";
import { nextFrame } from "./frames.ts";

/** The result of one step, in CSS pixels. */
export interface ScrollStep {
  /** False at the end of the page. */
  readonly moved: boolean;
  /** Offset of the lower edge of the window from the top of the page, or of the scroller in its place that is farthest from its end. */
  readonly position: number;
  /** Scroll height of the page, or of that scroller. */
  readonly height: number;
  /** True for a page with scripts, which can load more at its end. */
  readonly canGrow: boolean;
  /** True where frames scroll in place of the page. */
  readonly hasFrames: boolean;
  /** True where the window shows an element that a script gives its image when it notices that the page was scrolled. */
  readonly showsPlaceholder: boolean;
}

/** What scripts for lazy images look for: their own attributes and classes, and images without an address. */
const PLACEHOLDERS = ["src", "srcset", "original", "lazy", "lazy-src", "bg", "background", "echo"]
  .map((name) => `[data-${name}]`)
  .concat("img:not([src], [srcset])", "img[src^='data:']", ".lazy", ".lazyload")
  .join(", ");

/** The elements that `scrollByStep` has scrolled in place of the page. */
const scrolled = new Set<Element>();

/** Fixed elements that were visible before the first step. */
let fixedBefore: Set<Element> | undefined;

/**
 * Scrolls down by `by` pixels, or by 95 % of the window: the page, or the elements that scroll in its place. Lazy images
 * and frames load from now on.
 */
export async function scrollByStep(by: number | null): Promise<ScrollStep> {
  const roots = openRoots();
  for (const root of roots) {
    for (const lazy of queryAll(root, "img[loading=lazy], iframe[loading=lazy]")) lazy.setAttribute("loading", "eager");
  }
  fixedBefore ??= visibleFixed();
  const inner = findInnerScrollers(roots);
  const scrollers = (inner.length > 0 ? inner : [scrollingElement()]).map((element) => {
    const view = inner.length > 0 ? element.clientHeight : window.innerHeight;
    return { element, view, before: element.scrollTop };
  });
  for (const { element, view, before } of scrollers) {
    element.scrollTo({ top: before + (by ?? Math.max(1, Math.floor(view * 0.95))), behavior: "instant" });
    if (inner.length > 0) scrolled.add(element);
  }
  await nextFrame();
  const ends = scrollers.map(({ element, view }) => element.scrollHeight - element.scrollTop - view);
  const { element, view } = scrollers[ends.indexOf(Math.max(...ends))] ?? { element: scrollingElement(), view: 0 };
  return {
    moved: scrollers.some(({ element, before }) => element.scrollTop > before),
    position: element.scrollTop + view,
    height: element.scrollHeight,
    canGrow: document.querySelector("script") !== null,
    hasFrames: findFrameElements(roots).length > 0,
    showsPlaceholder: roots.some((root) => [...queryAll(root, PLACEHOLDERS)].some(isBesideWindow)),
  };
}

/** True for an element that is in the window, or right above or below it, even if it has no size yet. */
function isBesideWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

const POLL_MS = 30;

/** A page that reacts only to the end of a scroll does so within about a fifth of a second. */
const STABLE_POLLS = 8;

/**
 * Scrolls the page, and large scrolling elements in it, back to the top. Waits at most `capMs` for fixed elements that
 * appeared with the scroll, such as a button that leads to the top, to fade out.
 */
export async function scrollToTop(capMs: number): Promise<void> {
  for (const root of openRoots()) {
    for (const element of queryAll(root, "*")) {
      const isLarge = element.clientHeight * element.clientWidth > 0.3 * window.innerHeight * window.innerWidth;
      if ((isLarge || scrolled.has(element)) && element.scrollTop > 0)
        element.scrollTo({ top: 0, behavior: "instant" });
    }
  }
  window.scrollTo({ top: 0, left: 0, behavior: "instant" });
  await nextFrame();
  const appearance = () =>
    [...visibleFixed().difference(fixedBefore ?? new Set())]
      .map((element) => `${getComputedStyle(element).opacity} ${element.getBoundingClientRect().top}`)
      .join();
  const expiry = performance.now() + capMs;
  let [before, stable] = [appearance(), 0];
  while (before !== "" && stable < STABLE_POLLS && performance.now() < expiry) {
    await delay(POLL_MS);
    const now = appearance();
    stable = now === before ? stable + 1 : 0;
    before = now;
  }
}

/** Scrolls the page to `top`, and waits for the frame in which observers notice. */
export async function scrollToOffset(top: number): Promise<void> {
  window.scrollTo({ top, behavior: "instant" });
  await nextFrame();
}

function visibleFixed(): Set<Element> {
  const visible = queryAllRoots<Element>("*").filter((element) => {
    const { position, visibility, opacity } = getComputedStyle(element);
    if (position !== "fixed" || visibility !== "visible" || opacity === "0") return false;
    const { width, height, top, bottom } = element.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;
  });
  return new Set(visible);
}
