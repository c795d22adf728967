/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: finds elements and tells where they are.
import type { Area } from "../image.ts";

/** What selectors led to: boxes of visible matches on the page, or why there are none. */
export interface FoundElements {
  /** Of the first visible match of each selector, in the selectors' order; all matches where `every` was asked. */
  readonly areas: readonly (Area | null)[];
  /** The first selector that cannot be parsed. */
  readonly invalid: string | null;
  /** True when something matched but has no size. */
  readonly hidden: boolean;
}

/**
 * Finds visible elements, looking again every 50 ms for at most `capMs`: until `enough` of the selectors (`any` or
 * `all` of them) have one. With `every`, all matches of a selector count.
 */
export async function findElements(
  selectors: string[],
  enough: "any" | "all",
  every: boolean,
  capMs: number,
): Promise<FoundElements> {
  for (const selector of selectors) {
    try {
      document.querySelector(selector);
    } catch {
      return { areas: [], invalid: selector, hidden: false };
    }
  }
  let hidden = false;
  const boxes = (selector: string): Area[] => {
    const found: Area[] = [];
    for (const element of document.querySelectorAll(selector)) {
      const { x, y, width, height } = element.getBoundingClientRect();
      const isVisible = width > 0 && height > 0 && getComputedStyle(element).visibility !== "hidden";
      if (isVisible) found.push({ x: x + window.scrollX, y: y + window.scrollY, width, height });
      else hidden = true;
      if (isVisible && !every) break;
    }
    return found;
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
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no visible element matches, at most `capMs`; null for a selector that cannot be parsed. */
export async function awaitHidden(selector: string, capMs: number): Promise<boolean | null> {
  const isShown = () =>
    [...document.querySelectorAll(selector)].some((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0 && getComputedStyle(element).visibility !== "hidden";
    });
  try {
    document.querySelector(selector);
  } catch {
    return null;
  }
  const expiry = performance.now() + capMs;
  while (isShown()) {
    if (performance.now() >= expiry) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** Where to press an element, in pixels of the window; null where another element lies over it. */
export interface Target {
  readonly point: { readonly x: number; readonly y: number } | null;
}

/** Brings the first visible match into view and tells where its middle is. */
export async function target(selector: string): Promise<Target> {
  const element = [...document.querySelectorAll(selector)].find((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(each).visibility !== "hidden";
  });
  if (!element) return { point: null };
  const isInside = ({ left, top, right, bottom }: DOMRect) =>
    left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
  if (!isInside(element.getBoundingClientRect())) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    await new Promise((resolve) => setTimeout(resolve, 50)); // what is pinned to the window moves with the next frame
  }
  const box = element.getBoundingClientRect();
  const left = Math.max(0, box.left);
  const top = Math.max(0, box.top);
  const x = (left + Math.min(window.innerWidth, box.right)) / 2;
  const y = (top + Math.min(window.innerHeight, box.bottom)) / 2;
  const hit = document.elementFromPoint(x, y);
  return { point: hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : null };
}

/** Clicks an element that lies under another one, as assistive technology would. */
export function clickCovered(selector: string): void {
  const element = [...document.querySelectorAll(selector)].find((each) => each.getBoundingClientRect().width > 0);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
}

/** Scrolls until an element is at the top of the window, and `adjust` pixels further. */
export function scrollToElement(selector: string, adjust: number): void {
  const element = [...document.querySelectorAll(selector)].find((each) => each.getBoundingClientRect().height > 0);
  element?.scrollIntoView({ block: "start", behavior: "instant" });
  if (adjust !== 0) window.scrollBy({ top: adjust, behavior: "instant" });
}

/**
 * Brings an element into view for as long as its images need to load, at most `capMs`, and scrolls back: so what is
 * pinned to the window does not lie over it in the capture.
 */
export async function visitElement(selector: string, capMs: number): Promise<void> {
  const element = [...document.querySelectorAll(selector)].find((each) => each.getBoundingClientRect().height > 0);
  if (!element) return;
  const { scrollX, scrollY } = window;
  for (const lazy of element.querySelectorAll("img[loading=lazy], iframe[loading=lazy]")) {
    lazy.setAttribute("loading", "eager");
  }
  element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const cap = new Promise((resolve) => setTimeout(resolve, capMs));
  // A frame for observers to notice, another for what they do about it.
  await Promise.race([new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))), cap]);
  const images = [...element.querySelectorAll("img"), ...(element instanceof HTMLImageElement ? [element] : [])];
  await Promise.race([Promise.all(images.map((image) => image.decode().catch(() => undefined))), cap]);
  window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
}
