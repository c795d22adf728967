/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: finds elements and tells where they are.
import type { Area } from "../outputs/screenshot/area.ts";

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
  visibleBox: (element: Element) => Area | null,
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
      const box = visibleBox(element);
      if (box) found.push({ ...box, x: box.x + window.scrollX, y: box.y + window.scrollY });
      else hidden = true;
      if (box && !every) break;
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

/**
 * The box of an element in the window, or that of its contents where it has none itself; null for one that cannot be
 * seen. Goes along to other scripts.
 */
export function visibleBox(element: Element): Area | null {
  const { visibility, overflow } = getComputedStyle(element);
  if (visibility !== "visible") return null;
  let box = element.getBoundingClientRect();
  if ((box.width === 0 || box.height === 0) && overflow === "visible") {
    const contents = document.createRange();
    contents.selectNodeContents(element);
    box = contents.getBoundingClientRect();
  }
  const { x, y, width, height } = box;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/**
 * Whether what `findElements` finds by a selector is fully transparent, by its own opacity or that of an element around
 * it: all that matches where `every` was asked.
 */
export function areTransparent(
  selector: string,
  every: boolean,
  visibleBox: (element: Element) => Area | null,
): boolean {
  const matches = [...document.querySelectorAll(selector)].filter((element) => visibleBox(element) !== null);
  const elements = every ? matches : matches.slice(0, 1);
  return elements.length > 0 && elements.every((element) => !element.checkVisibility({ opacityProperty: true }));
}

/** Waits until no visible element matches, at most `capMs`; null for a selector that cannot be parsed. */
export async function awaitHidden(
  selector: string,
  capMs: number,
  visibleBox: (element: Element) => Area | null,
): Promise<boolean | null> {
  const isShown = () => [...document.querySelectorAll(selector)].some((element) => visibleBox(element) !== null);
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
export async function target(selector: string, visibleBox: (element: Element) => Area | null): Promise<Target> {
  const element = [...document.querySelectorAll(selector)].find((each) => visibleBox(each) !== null);
  const edges = () => {
    const { x, y, width, height } = (element && visibleBox(element)) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { left: x, top: y, right: x + width, bottom: y + height };
  };
  if (!element) return { point: null };
  const { left, top, right, bottom } = edges();
  if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    await new Promise((resolve) => setTimeout(resolve, 50)); // what is pinned to the window moves with the next frame
  }
  const box = edges();
  const x = (Math.max(0, box.left) + Math.min(window.innerWidth, box.right)) / 2;
  const y = (Math.max(0, box.top) + Math.min(window.innerHeight, box.bottom)) / 2;
  const hit = document.elementFromPoint(x, y);
  return { point: hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : null };
}

/** A point in the window at which the first visible match can be hovered over as the page lies now; null where there is none. */
export function pointOver(
  selector: string,
  visibleBox: (element: Element) => Area | null,
): { x: number; y: number } | null {
  const element = [...document.querySelectorAll(selector)].find((each) => visibleBox(each) !== null);
  const box = element && visibleBox(element);
  if (!box) return null;
  const [left, right] = [Math.max(0, box.x), Math.min(window.innerWidth, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(window.innerHeight, box.y + box.height)];
  if (left >= right || top >= bottom) return null;
  const isOver = (hit: Element | null) => hit !== null && (element.contains(hit) || hit.contains(element));
  for (const down of [0.5, 0.9, 0.1]) {
    for (const across of [0.5, 0.1, 0.9]) {
      const point = { x: left + across * (right - left), y: top + down * (bottom - top) };
      if (isOver(document.elementFromPoint(point.x, point.y))) return point;
    }
  }
  return null;
}

/** Clicks an element that lies under another one, as assistive technology would. */
export function clickCovered(selector: string, visibleBox: (element: Element) => Area | null): void {
  const element = [...document.querySelectorAll(selector)].find((each) => visibleBox(each) !== null);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
}

/** Waits until the page has done what was to be done next. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Scrolls until an element is at the top of the window, and `adjust` pixels further. */
export function scrollToElement(selector: string, adjust: number, visibleBox: (element: Element) => Area | null): void {
  const element = [...document.querySelectorAll(selector)].find((each) => visibleBox(each) !== null);
  element?.scrollIntoView({ block: "start", behavior: "instant" });
  if (adjust !== 0) window.scrollBy({ top: adjust, behavior: "instant" });
}

/**
 * Brings elements into view from top to bottom, for as long as their images need to load, at most `capMs` in all: the
 * first visible match, or all of them where `every` was asked.
 */
export async function visitElements(
  selector: string,
  every: boolean,
  capMs: number,
  visibleBox: (element: Element) => Area | null,
  nextFrame: () => Promise<void>,
): Promise<void> {
  const matches = [...document.querySelectorAll(selector)].filter((each) => visibleBox(each) !== null);
  const elements = every ? matches : matches.slice(0, 1);
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
  const cap = new Promise((resolve) => setTimeout(resolve, expiry - performance.now()));
  await Promise.race([Promise.all(images.map((image) => image.decode().catch(() => undefined))), cap]);
}

/**
 * Makes elements lie so that all of them and `padding` pixels around can be seen: in the window, where they fit into it
 * and nothing that is pinned to it covers them then; else at their place in a page that is scrolled to its top. What
 * scrolls within the page and cuts them grows to its full height.
 */
export async function presentElements(
  selector: string,
  every: boolean,
  padding: number,
  visibleBox: (element: Element) => Area | null,
  unfold: (scroller: HTMLElement) => void,
  nextFrame: () => Promise<void>,
): Promise<void> {
  const matches = [...document.querySelectorAll(selector)].filter((each) => visibleBox(each) !== null);
  const elements = every ? matches : matches.slice(0, 1);
  const union = (some: readonly Element[]) => {
    const boxes = some.map(visibleBox).filter((box) => box !== null);
    const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
    const right = Math.max(...boxes.map(({ x, width }) => x + width));
    return { left, top, right, bottom: Math.max(...boxes.map(({ y, height }) => y + height)) };
  };
  const scrollers = new Set<HTMLElement>();
  for (const element of elements) {
    for (let each = element.parentElement; each && each !== document.documentElement; each = each.parentElement) {
      if (each.scrollHeight > each.clientHeight + 1) scrollers.add(each);
    }
  }
  for (const scroller of scrollers) {
    if (!/auto|scroll|overlay/.test(getComputedStyle(scroller).overflowY)) continue;
    const { top, bottom } = union(elements.filter((element) => scroller.contains(element)));
    if (bottom - top > scroller.clientHeight + 1) unfold(scroller);
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

/** Hides what is pinned to the window and covers elements that are in it. */
export function uncoverElements(selector: string, every: boolean, visibleBox: (element: Element) => Area | null): void {
  const most = 50;
  const elements = [...document.querySelectorAll(selector)].filter((each) => visibleBox(each) !== null);
  const pinnedAbove = (hit: Element, element: Element): HTMLElement | null => {
    let pinned: HTMLElement | null = null;
    for (let each: Element | null = hit; each && !each.contains(element); each = each.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(each).position)) pinned = each as HTMLElement;
    }
    return pinned;
  };
  for (const element of elements.slice(0, every ? most : 1)) {
    const { x, y, width, height } = visibleBox(element) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const down of [0, 0.25, 0.5, 0.75, 1]) {
      for (const across of [0.02, 0.5, 0.98]) {
        for (let attempt = 0; attempt < 5; attempt++) {
          const hit = document.elementFromPoint(x + across * width, Math.min(y + height - 1, y + 1 + down * height));
          if (!hit || element.contains(hit)) break;
          const pinned = pinnedAbove(hit, element);
          if (!pinned) break;
          pinned.style.setProperty("transition", "none", "important");
          pinned.style.setProperty("visibility", "hidden", "important");
        }
      }
    }
  }
}
