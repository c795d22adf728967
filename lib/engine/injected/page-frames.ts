/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Frames that scroll in place of the page: wrapper pages, framesets, and applications whose content is in a frame. The functions
// of one side run in the document around the frame, those of the other in the document in it.
import type { Journal } from "./changes/journal.ts";
import { type LayoutSnapshot, takeSnapshot } from "./changes/layout-snapshot.ts";
import { isMoved, isNear } from "./changes/measured-change.ts";
import { animatedElements } from "./dom/changed-elements.ts";
import { containingBlock } from "./dom/containing-block.ts";
import { documentBody, documentElement, scrollingElement } from "./dom/document.ts";
import { knownPageFrames } from "./dom/page-frames.ts";
import { openRoots } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";
import { sidesOfWindow } from "./dom/window-sides.ts";
import { growFrameElement } from "./expand-scroller.ts";
import { recordWindowHeights } from "./window-heights.ts";

/** Elements whose lengths are kept while a frame grows. */
const MAX_ELEMENTS = 20_000;

/** What `growFrame` has changed for each frame, the last change at the end. */
const journals = new Map<Element, Journal[]>();

/** The elements of the frames that scroll in place of this document; numbers of frames below are indexes of this array. */
export function pageFrames(): Element[] {
  return documentElement() ? knownPageFrames(openRoots()) : [];
}

/** True for a document of frames alone, which are as large as its window regardless of its styles. */
export function isFrameset(): boolean {
  return documentBody()?.localName === "frameset";
}

/** Makes a frame as tall as its content. Returns false, and changes nothing, where that changes other parts of the document. */
export function growFrame(number: number, contentHeight: number): boolean {
  const frame = pageFrames()[number];
  const journal = frame && growFrameElement(frame, contentHeight);
  if (journal) journals.set(frame, [...(journals.get(frame) ?? []), journal]);
  return journal !== undefined;
}

/** Takes back what `growFrame` has changed. */
export function shrinkFrame(number: number): void {
  const frame = pageFrames()[number];
  for (const journal of (frame && journals.get(frame)?.reverse()) ?? []) journal.revert();
  if (frame) journals.delete(frame);
}

/** The height of the content of a frame, and that of its viewport, in CSS pixels. */
export interface FrameHeights {
  readonly content: number;
  readonly view: number;
}

let before: LayoutSnapshot | undefined;
let restoreHeights: (() => void) | undefined;

/** In a frame, before it grows: records its layout for `checkFrame`. */
export function measureFrame(): FrameHeights {
  const page = scrollingElement();
  const view = window.innerHeight;
  if (sidesOfWindow().bottom || page.scrollHeight <= view + 1) return { content: view, view };
  restoreHeights = recordWindowHeights(MAX_ELEMENTS);
  before = takeSnapshot();
  return { content: page.scrollHeight, view };
}

/**
 * In a frame that has grown: gives lengths that depend on the height of its window their former values, and compares its layout
 * with the one before. Only what is fixed, sticky, animated, or placed by an edge of the window may be elsewhere.
 */
export function checkFrame(): FrameHeights & { readonly isHarmed: boolean } {
  restoreHeights?.();
  if (before) for (const [element, box] of before.boxes) keepAtWindow(element, box.top);
  const after = takeSnapshot();
  const animated = animatedElements();
  const isHarmed = [...(before?.boxes ?? [])].some(([element, box]) => {
    const now = after.boxes.get(element);
    if (!now || !box.hasContent || box.seen === 0) return false;
    return (now.seen === 0 || isMoved(box, now)) && !isOnItsOwn(element, animated);
  });
  return { isHarmed, content: scrollingElement().scrollHeight, view: window.innerHeight };
}

/** Keeps an absolute element, that is positioned by the lower edge of the first window, where it was. */
function keepAtWindow(element: Element, top: number): void {
  const style = getComputedStyle(element);
  if (style.position !== "absolute" || !(element instanceof HTMLElement)) return;
  const now = element.getBoundingClientRect().top + window.scrollY;
  const parent = parentElement(element);
  if (isNear(now, top) || (parent && containingBlock(parent, "absolute"))) return;
  element.style.setProperty("top", `${Number.parseFloat(style.top) + top - now}px`, "important");
  element.style.setProperty("bottom", "auto", "important");
}

/** True for an element that is fixed, sticky or animated, and for one in such an element. */
function isOnItsOwn(element: Element, animated: ReadonlySet<Element>): boolean {
  for (let each: Element | null = element; each; each = parentElement(each)) {
    if (animated.has(each) || /fixed|sticky/.test(getComputedStyle(each).position)) return true;
  }
  return false;
}
