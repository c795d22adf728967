/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds the elements that a caller's selectors name, measures them, and brings them into view.
import type { Area } from "../geometry/area.ts";
import { delay, documentElement } from "./dom/document.ts";
import { contains, parentElement } from "./dom/tree.ts";
import { findAllVisible, findMatches, findVisible, shownPart, visibleBox } from "./dom/visible-box.ts";
import { expandToContent } from "./expand-scroller.ts";
import { nextFrame } from "./frames.ts";

const POLL_MS = 50;

export interface FoundElements {
  /** In the order of the selectors: the box of the first visible match on the page, null when there is none; the boxes of
   * all visible matches with `every`. */
  readonly areas: readonly (Area | null)[];
  /** The first selector that cannot be parsed. */
  readonly invalid: string | null;
  /** True when something matched but is not visible. */
  readonly hidden: boolean;
}

/** Finds visible elements. Polls for at most `capMs` until `enough` of the selectors, any or all, have one. */
export async function findElements(
  selectors: string[],
  enough: "any" | "all",
  every: boolean,
  capMs: number,
): Promise<FoundElements> {
  const invalid = selectors.find((selector) => !isValid(selector));
  if (invalid !== undefined) return { areas: [], invalid, hidden: false };
  let hidden = false;
  const boxes = (selector: string): Area[] => {
    const found: Element[] = [];
    for (const element of findMatches(selector, every)) {
      if (visibleBox(element) === null) hidden = true;
      else found.push(element);
      if (found.length > 0 && !every) break;
    }
    return shownBoxes(found).map((box) => ({ ...box, x: box.x + window.scrollX, y: box.y + window.scrollY }));
  };
  const expiry = performance.now() + capMs;
  for (;;) {
    const found = selectors.map(boxes);
    const matched = found.filter((areas) => areas.length > 0).length;
    const isEnough = enough === "any" ? matched > 0 : matched === selectors.length;
    if (isEnough || performance.now() >= expiry) {
      const areas = found.flatMap((each): (Area | null)[] => (each.length > 0 ? each : [null]));
      return { areas, invalid: null, hidden };
    }
    await delay(POLL_MS);
  }
}

/** The parts of elements that are shown; their whole boxes when all of them are scrolled or cut away. */
function shownBoxes(elements: readonly Element[]): Area[] {
  const isBox = (box: Area | null) => box !== null;
  const shown = elements.map(shownPart).filter(isBox);
  return shown.length > 0 ? shown : elements.map(visibleBox).filter(isBox);
}

/** True when the visible matches, the first or every one, are fully transparent by their own or an ancestor's opacity. */
export function areTransparent(selector: string, every: boolean): boolean {
  const elements = findAllVisible(selector, every);
  const isOpaque = (element: Element) => boxed(element).checkVisibility({ opacityProperty: true });
  return elements.length > 0 && !elements.some(isOpaque);
}

/** True when one of the visible matches, the first or every one, stays in the window while the page is scrolled. */
export function areFixed(selector: string, every: boolean): boolean {
  return findAllVisible(selector, every).some((element) => {
    for (let each: Element | null = element; each; each = parentElement(each))
      if (getComputedStyle(each).position === "fixed") return true;
    return false;
  });
}

/** The element, or the nearest ancestor that has a box. */
function boxed(element: Element): Element {
  const parent = parentElement(element);
  return getComputedStyle(element).display === "contents" && parent ? boxed(parent) : element;
}

/** Waits until no visible element matches. False after `capMs`; null for a selector that cannot be parsed. */
export async function awaitHidden(selector: string, capMs: number): Promise<boolean | null> {
  if (!isValid(selector)) return null;
  const expiry = performance.now() + capMs;
  while (findVisible(selector)) {
    if (performance.now() >= expiry) return false;
    await delay(POLL_MS);
  }
  return true;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Scrolls the first visible match into view. Its centre in the window; null when another element covers it. */
export async function scrollToPoint(selector: string): Promise<{ readonly point: Point | null }> {
  const element = findVisible(selector);
  const edges = () => {
    const { x, y, width, height } = (element && visibleBox(element)) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { left: x, top: y, right: x + width, bottom: y + height };
  };
  if (!element) return { point: null };
  const { left, top, right, bottom } = edges();
  if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    await delay(POLL_MS); // fixed elements move with the next frame
  }
  const box = edges();
  const x = (Math.max(0, box.left) + Math.min(window.innerWidth, box.right)) / 2;
  const y = (Math.max(0, box.top) + Math.min(window.innerHeight, box.bottom)) / 2;
  return { point: isHit(element, { x, y }) ? { x, y } : null };
}

/** A point in the window at which the pointer is over the first visible match, without scrolling; null when there is none. */
export function pointOver(selector: string): Point | null {
  const element = findVisible(selector);
  const box = element && visibleBox(element);
  if (!box) return null;
  const [left, right] = [Math.max(0, box.x), Math.min(window.innerWidth, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(window.innerHeight, box.y + box.height)];
  if (left >= right || top >= bottom) return null;
  for (const down of [0.5, 0.9, 0.1]) {
    for (const across of [0.5, 0.1, 0.9]) {
      const point = { x: left + across * (right - left), y: top + down * (bottom - top) };
      if (isHit(element, point)) return point;
    }
  }
  return null;
}

/** Clicks an element that another one covers, as assistive technology does. */
export function clickCovered(selector: string): void {
  const element = findVisible(selector);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
}

/** Waits for the tasks that are queued now. */
export function nextTask(): Promise<void> {
  return delay(0);
}

/** Scrolls until the first visible match is at the top of the window, and `adjust` pixels further. */
export function scrollToElement(selector: string, adjust: number): void {
  findVisible(selector)?.scrollIntoView({ block: "start", behavior: "instant" });
  if (adjust !== 0) window.scrollBy({ top: adjust, behavior: "instant" });
}

/** Scrolls through visible matches, the first or every one, until their images have loaded; at most `capMs` in all. */
export async function visitElements(selector: string, every: boolean, capMs: number): Promise<void> {
  const elements = findAllVisible(selector, every);
  const expiry = performance.now() + capMs;
  const lazy = "img[loading=lazy], iframe[loading=lazy]";
  for (const element of elements) {
    for (const each of element.querySelectorAll(lazy)) each.setAttribute("loading", "eager");
    if (element.matches(lazy)) element.setAttribute("loading", "eager");
  }
  for (const [index, element] of elements.entries()) {
    const { top, bottom, height } = element.getBoundingClientRect();
    if (index > 0 && top >= 0 && bottom <= window.innerHeight) continue;
    const isTall = height > window.innerHeight;
    element.scrollIntoView({ block: isTall ? "start" : "center", inline: "nearest", behavior: "instant" });
    await nextFrame();
    while (element.getBoundingClientRect().bottom > window.innerHeight && performance.now() < expiry) {
      const before = window.scrollY;
      window.scrollBy({ top: Math.floor(window.innerHeight * 0.95), behavior: "instant" });
      if (window.scrollY === before) break;
      await nextFrame();
    }
    if (performance.now() >= expiry) break;
  }
  const images = elements.flatMap((element) => [
    ...element.querySelectorAll("img"),
    ...(element instanceof HTMLImageElement ? [element] : []),
  ]);
  const decoded = Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  await Promise.race([decoded, delay(expiry - performance.now())]);
}

/**
 * Scrolls so that visible matches, the first or every one, and `padding` pixels around them are in the window, if they
 * fit into it; else scrolls to the top of the page. Scrolling elements that cut them off get their full height.
 */
export async function presentElements(selector: string, every: boolean, padding: number): Promise<void> {
  const elements = findAllVisible(selector, every);
  for (const scroller of scrollersAround(elements)) {
    if (!/auto|scroll|overlay/.test(getComputedStyle(scroller).overflowY)) continue;
    const { top, bottom } = union(elements.filter((element) => contains(scroller, element)));
    if (bottom - top > scroller.clientHeight + 1) await expandToContent(scroller);
  }
  const { innerWidth, innerHeight } = window;
  const box = union(elements);
  const fits = box.right - box.left + 2 * padding <= innerWidth && box.bottom - box.top + 2 * padding <= innerHeight;
  if (!fits) {
    window.scrollTo({ left: 0, top: 0, behavior: "instant" });
    return;
  }
  const isWhole = (size: number, from: number, to: number) => from >= padding && to <= size - padding;
  if (!isWhole(innerHeight, box.top, box.bottom) || !isWhole(innerWidth, box.left, box.right)) {
    const left = isWhole(innerWidth, box.left, box.right) ? 0 : (box.left + box.right - innerWidth) / 2;
    window.scrollBy({ left, top: (box.top + box.bottom - innerHeight) / 2, behavior: "instant" });
    await nextFrame();
  }
}

/** Elements of a selector below which fixed elements are hidden. */
const MAX_UNCOVERED = 50;

/** Hides fixed and sticky elements that cover visible matches, the first or every one. */
export function uncoverElements(selector: string, every: boolean): void {
  for (const element of findAllVisible(selector, every).slice(0, MAX_UNCOVERED)) {
    const { x, y, width, height } = visibleBox(element) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const down of [0, 0.25, 0.5, 0.75, 1]) {
      for (const across of [0.02, 0.5, 0.98]) {
        for (let attempt = 0; attempt < 5; attempt++) {
          const hit = document.elementFromPoint(x + across * width, Math.min(y + height - 1, y + 1 + down * height));
          if (!hit || element.contains(hit)) break;
          const cover = outermostFixed(hit, element);
          if (!cover) break;
          cover.style.setProperty("transition", "none", "important");
          cover.style.setProperty("visibility", "hidden", "important");
        }
      }
    }
  }
}

function isValid(selector: string): boolean {
  try {
    Document.prototype.querySelector.call(document, selector);
    return true;
  } catch {
    return false;
  }
}

function isHit(element: Element, { x, y }: Point): boolean {
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
  return hit !== null && (contains(element, hit) || contains(hit, element));
}

function scrollersAround(elements: readonly Element[]): Set<HTMLElement> {
  const scrollers = new Set<HTMLElement>();
  for (const element of elements) {
    for (let each = parentElement(element); each && each !== documentElement(); each = parentElement(each)) {
      if (each instanceof HTMLElement && each.scrollHeight > each.clientHeight + 1) scrollers.add(each);
    }
  }
  return scrollers;
}

function union(elements: readonly Element[]) {
  const boxes = elements.map(visibleBox).filter((box) => box !== null);
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  return { left, top, right, bottom: Math.max(...boxes.map(({ y, height }) => y + height)) };
}

/** The outermost fixed or sticky element around `hit` that is not also around `element`. */
function outermostFixed(hit: Element, element: Element): HTMLElement | null {
  let outermost: HTMLElement | null = null;
  for (let each: Element | null = hit; each && !each.contains(element); each = each.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(each).position)) outermost = each as HTMLElement;
  }
  return outermost;
}
