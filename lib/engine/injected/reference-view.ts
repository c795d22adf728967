/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Describes what the window shows at a scroll position, so that a small picture of it can be compared with one of all the page.
import type { Area } from "../geometry/area.ts";
import { changedElements, isSettled, revealingValues } from "./dom/changed-elements.ts";
import { observePinned } from "./dom/pinned-elements.ts";
import { findPseudoElements } from "./dom/pseudo-elements.ts";
import { hasScenes, observeScenes } from "./dom/scroll-scenes.ts";
import { findInnerScroller } from "./dom/scrollers.ts";
import { openRoots, queryAll, queryAllRoots } from "./dom/shadow-roots.ts";
import { boxInWindow } from "./dom/tree.ts";

/** What a window shows. Areas are in CSS pixels of the window. */
export interface ReferenceView {
  /** The size of the window. */
  readonly width: number;
  readonly height: number;
  /** The part of the window that scrolls: all of it, or the box of the element that scrolls in place of the page. */
  readonly scrolled: Area;
  /** The scroll offset of that part. */
  readonly left: number;
  readonly top: number;
  /** Boxes that differ in a picture of the page: fixed and sticky elements, videos, and what moves with the scroll position. */
  readonly ignored: readonly Area[];
  /** The colour of the canvas behind the page: red, green and blue, 0 to 255. */
  readonly background: readonly number[];
}

/** Boxes that are reported at most. */
const MAX_IGNORED = 200;

/** The element that scrolled in place of the page when the window was described last. */
let scroller: HTMLElement | null = null;

/** Describes what the window shows now. */
export function describeView(): ReferenceView {
  scroller = findInnerScroller(openRoots());
  const { innerWidth: width, innerHeight: height } = window;
  const box = scroller?.getBoundingClientRect();
  const scrolled = box ? { x: box.x, y: box.y, width: box.width, height: box.height } : { x: 0, y: 0, width, height };
  return {
    width,
    height,
    scrolled,
    left: scroller?.scrollLeft ?? window.scrollX,
    top: scroller?.scrollTop ?? window.scrollY,
    ignored: ignoredBoxes(),
    background: canvasColour(),
  };
}

/**
 * Where the scrolled content begins on the page, in CSS pixels; null where an element that scrolls in place of the page does
 * not show all of its content.
 */
export function scrolledOrigin(): { x: number; y: number } | null {
  if (!scroller) return { x: 0, y: 0 };
  if (!scroller.isConnected || scroller.scrollHeight > scroller.clientHeight + 1) return null;
  const { x, y } = scroller.getBoundingClientRect();
  return { x: x + window.scrollX, y: y + window.scrollY };
}

/** True for a page whose fixed layers follow the scroll position: only section by section, all of them are seen. */
export function playsScenes(): boolean {
  return hasScenes();
}

function ignoredBoxes(): Area[] {
  pageHasFixedBackground ??= hasFixedBackground();
  if (pageHasFixedBackground) return [{ x: 0, y: 0, width: window.innerWidth, height: window.innerHeight }];
  const pinned = queryAllRoots<Element>("*").filter((element) =>
    /fixed|sticky/.test(getComputedStyle(element).position),
  );
  observeScenes(pinned);
  observePinned(pinned);
  const videos = openRoots().flatMap((root) => [...queryAll(root, "video")]);
  const onTheirWay = changedElements().filter((element) => !isSettled(revealingValues(element)));
  const boxes = [...pinned, ...videos, ...onTheirWay].map(boxOf);
  return boxes.filter(isInWindow).slice(0, MAX_IGNORED);
}

let pageHasFixedBackground: boolean | undefined;

/** True for a page whose background stays in the window: it is behind everything, so that no view of it can be compared. */
function hasFixedBackground(): boolean {
  const isLarge = ({ width, height }: Area) => width * height > (window.innerWidth * window.innerHeight) / 2;
  const isAttached = (element: Element) => {
    const { backgroundAttachment, backgroundImage } = getComputedStyle(element);
    return backgroundAttachment.includes("fixed") && backgroundImage !== "none" && isLarge(boxOf(element));
  };
  if ([document.documentElement, document.body].some(isAttached)) return true;
  const isFixed = ({ position, width, height }: CSSStyleDeclaration) =>
    position === "fixed" && isLarge({ x: 0, y: 0, width: Number.parseFloat(width), height: Number.parseFloat(height) });
  return findPseudoElements(isFixed).length > 0;
}

function isInWindow({ x, y, width, height }: Area): boolean {
  return width > 0 && height > 0 && x < window.innerWidth && y < window.innerHeight && x + width > 0 && y + height > 0;
}

function boxOf(element: Element): Area {
  const { x, y, width, height } = boxInWindow(element);
  return { x, y, width, height };
}

/** The background of the root element, or of the body where that has none; white where neither has one. */
function canvasColour(): number[] {
  for (const element of [document.documentElement, document.body]) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(
      Number,
    );
    if (red !== undefined && green !== undefined && blue !== undefined && alpha > 0) return [red, green, blue];
  }
  return [255, 255, 255];
}
