/// <reference lib="dom" />
// What is read from a page in plain Chromium while a visitor scrolls: its sizes, its scroller, and its fixed boxes.
import type { Rect } from "./tiles.ts";

/** In CSS pixels. */
export interface PageGeometry {
  /** Of what scrolls: the document, or the scroller. */
  readonly scrollWidth: number;
  readonly scrollHeight: number;
  readonly scrollTop: number;
  /** The part of the window in which it scrolls. */
  readonly viewport: Rect;
  /** True when the document doesn't scroll, and a scroller within it does. */
  readonly hasInnerScroller: boolean;
  /** Boxes that are fixed to the window, and those that may stick to its edges, as they are now. */
  readonly pinned: readonly PinnedBox[];
  /** How far each pane of a page with several is scrolled. */
  readonly paneTops: readonly number[];
  /** Images in the window that are still loading. */
  readonly pendingImages: number;
}

export interface PinnedBox extends Rect {
  readonly position: "fixed" | "sticky";
}

/** Scrolls what a visitor scrolls to `top`, where that is given, and reads the page. Runs in the page. */
export function readGeometry(top?: number): PageGeometry {
  /** Least share of the window that a scroller covers through which the whole page is read. */
  const MIN_SCROLLER_SHARE = 0.3;
  /** The same of a frame. */
  const MIN_FRAME_SHARE = 0.6;
  const root = document.scrollingElement ?? document.documentElement;
  const [width, height] = [window.innerWidth, window.innerHeight];
  const elements = elementsIn(document);
  const isTall = scrollsBy("overflowY") && root.scrollHeight > root.clientHeight + 1;
  const panes = [...document.querySelectorAll("[data-pane]")];
  const inner = isTall ? undefined : (findTallestPane() ?? findFrameScroller(document) ?? findInnerScroller());
  const scroller = inner ?? root;
  if (top !== undefined && (inner || isTall)) {
    for (const each of panes.length > 0 ? panes : [scroller]) each.scrollTo({ top, behavior: "instant" });
  }
  return {
    scrollWidth: inner || scrollsBy("overflowX") ? scroller.scrollWidth : scroller.clientWidth,
    scrollHeight: inner || isTall ? scroller.scrollHeight : scroller.clientHeight,
    scrollTop: scroller.scrollTop,
    viewport: inner ? contentBox(inner) : { left: 0, top: 0, width, height },
    hasInnerScroller: inner !== undefined,
    pinned: elements.flatMap(pinnedBoxes),
    paneTops: panes.map((pane) => pane.scrollTop),
    pendingImages: elements.filter((element) => element instanceof HTMLImageElement && isPending(element)).length,
  };

  /** False where a visitor can't scroll the window, as scripts still could: its overflow is that of the root, or of the body. */
  function scrollsBy(property: "overflowX" | "overflowY"): boolean {
    const [own, body] = [document.documentElement, document.body].map(
      (each) => each && getComputedStyle(each)[property],
    );
    return !["hidden", "clip"].includes((own === "visible" ? body : own) ?? "visible");
  }

  /** All elements of a document or of an open shadow root, and of those within. */
  function elementsIn(tree: Document | ShadowRoot): Element[] {
    return [...tree.querySelectorAll("*")].flatMap((element) =>
      element.shadowRoot ? [element, ...elementsIn(element.shadowRoot)] : [element],
    );
  }

  function findInnerScroller(): Element | undefined {
    const area = (element: Element) => element.clientWidth * element.clientHeight;
    return elements
      .filter(
        (element) =>
          element !== root &&
          element !== document.body &&
          element.scrollHeight > element.clientHeight + 1 &&
          ["auto", "scroll"].includes(getComputedStyle(element).overflowY) &&
          area(element) >= MIN_SCROLLER_SHARE * width * height,
      )
      .sort((one, other) => area(other) - area(one))[0];
  }

  function findTallestPane(): Element | undefined {
    const hidden = (pane: Element) => pane.scrollHeight - pane.clientHeight;
    return panes.filter((pane) => hidden(pane) > 1).sort((one, other) => hidden(other) - hidden(one))[0];
  }

  /** What scrolls in a frame of the same origin that covers most of the window, or in a frame of that frame. */
  function findFrameScroller(of: Document): Element | undefined {
    for (const frame of of.querySelectorAll("iframe, frame")) {
      const { width: frameWidth, height: frameHeight } = frame.getBoundingClientRect();
      const framed = (frame as HTMLIFrameElement).contentDocument;
      if (!framed || frameWidth * frameHeight < MIN_FRAME_SHARE * width * height) continue;
      const page = framed.scrollingElement;
      if (page && page.scrollHeight > page.clientHeight + 1) return page;
      return findFrameScroller(framed);
    }
    return undefined;
  }

  function contentBox(element: Element): Rect {
    const { left, top } = boxInWindow(element);
    const [x, y] = [left + element.clientLeft, top + element.clientTop];
    return { left: x, top: y, width: element.clientWidth, height: element.clientHeight };
  }

  /** The box of an element, or, for the root element of a frame, of the frame's content. */
  function boxInWindow(element: Element): { left: number; top: number } {
    if (element !== element.ownerDocument.scrollingElement || element === root) return element.getBoundingClientRect();
    let [left, top] = [0, 0];
    for (let view = element.ownerDocument.defaultView; view && view !== window; view = view.parent as typeof view) {
      const box = view.frameElement?.getBoundingClientRect();
      left += box?.left ?? 0;
      top += box?.top ?? 0;
    }
    return { left, top };
  }

  function pinnedBoxes(element: Element): PinnedBox[] {
    const { position, visibility } = getComputedStyle(element);
    if (position !== "fixed" && position !== "sticky") return [];
    if (visibility !== "visible" || (position === "fixed" && !isFixedToWindow(element))) return [];
    // A fixed box is often empty itself, and its content hangs out of it.
    const rects = [element, ...element.querySelectorAll("*")].map((each) => each.getBoundingClientRect());
    return rects
      .filter((rect) => rect.width > 0 && rect.height > 0 && rect.bottom > 0 && rect.top < height)
      .map((rect) => ({ position, left: rect.left, top: rect.top, width: rect.width, height: rect.height }));
  }

  /** False within an element that fixed descendants are fixed to, as within one that is transformed. */
  function isFixedToWindow(element: Element): boolean {
    for (let each = parentOf(element); each && each !== document.documentElement; each = parentOf(each)) {
      const { transform, translate, rotate, scale, filter, backdropFilter, perspective, contain, willChange } =
        getComputedStyle(each);
      if ([transform, translate, rotate, scale, filter, backdropFilter, perspective].some((value) => value !== "none"))
        return false;
      if (/paint|layout|strict|content/.test(contain) || /transform|filter|perspective|translate/.test(willChange))
        return false;
    }
    return true;
  }

  function parentOf(element: Element): Element | undefined {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
  }

  function isPending(image: HTMLImageElement): boolean {
    const { bottom, top } = image.getBoundingClientRect();
    return !image.complete && bottom > 0 && top < height;
  }
}
