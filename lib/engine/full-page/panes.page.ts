/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The panes of a visit: the page, or the elements that scroll in its place.
import { type Board, findBoard } from "../injected/dom/board.ts";
import { documentBody, scrollingElement } from "../injected/dom/document.ts";
import { startMotions } from "../injected/dom/moving-elements.ts";
import { findFrameElements } from "../injected/dom/page-frames.ts";
import { findInnerScrollers } from "../injected/dom/scrollers.ts";
import { openRoots, queryAll } from "../injected/dom/shadow-roots.ts";
import { parentElement } from "../injected/dom/tree.ts";
import { lockedBody, sidesOfWindow } from "../injected/dom/window-sides.ts";
import { nextFrame } from "../injected/frames.ts";
import { changes } from "./changes.page.ts";
import { followChanges } from "./follow-changes.page.ts";
import { noteScroll } from "./late-changes.page.ts";
import { record } from "./record.page.ts";

/** Lengths are in CSS pixels of the window. */
export interface Pane {
  readonly isPage: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How far it is scrolled down, and how far it can be. */
  readonly offset: number;
  readonly maxOffset: number;
  /** What is behind its content: red, green and blue, 0 to 255; empty for a picture or a gradient. */
  readonly background: readonly number[];
}

/**
 * Finds the panes of this document: elements that scroll in its place, where these may be panes; or the document itself, unless
 * frames in it scroll in its place.
 */
export function findPanes(may: { readonly beElements: boolean; readonly beDocument: boolean }): Pane[] {
  const inner = may.beElements ? findScrollers(may.beDocument) : [];
  record.panes = inner.length > 0 || !may.beDocument ? inner : [null];
  record.endsWithWindow = inner.length === 0 && sidesOfWindow().bottom;
  holdSnapping();
  return describePanes();
}

/** The elements that scroll in place of this document, or its body, if that is only kept from scrolling. */
function findScrollers(isLeaf: boolean): readonly HTMLElement[] {
  const roots = openRoots();
  const inner = findInnerScrollers(roots, isLeaf ? [] : findFrameElements(roots));
  const body = inner.length === 0 && isLeaf ? lockedBody() : null;
  return body && getComputedStyle(body).overflowY === "hidden" ? [body] : inner;
}

/** Keeps the panes from snapping to their slides: a window of the visit may be between two of them. */
function holdSnapping(): void {
  const snappingElements = record.panes.flatMap((pane) => pane ?? [document.documentElement, document.body]);
  for (const element of snappingElements)
    if (element && getComputedStyle(element).scrollSnapType !== "none")
      changes.setStyle(element, { "scroll-snap-type": "none" });
}

/** The element that scrolls several of the panes sideways. */
export function findSidewaysBoard(): Board | null {
  return findBoard(record.panes.filter((pane) => pane !== null));
}

/** Notes how far each pane is scrolled, and describes them. */
export function observePanes(): Pane[] {
  record.offsets = new Map(record.panes.map((pane) => [pane, pane?.scrollTop ?? scrollY]));
  return describePanes();
}

export function describePanes(): Pane[] {
  return record.panes.map((element) => {
    if (!element) {
      const page = scrollingElement();
      const maxOffset = record.endsWithWindow ? 0 : Math.max(0, page.scrollHeight - innerHeight);
      const size = { width: innerWidth, height: innerHeight };
      return {
        isPage: true,
        x: 0,
        y: 0,
        ...size,
        offset: scrollY,
        maxOffset,
        background: backgroundOf(documentBody() ?? page),
      };
    }
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + element.clientLeft, box.top + element.clientTop];
    return {
      isPage: false,
      x,
      y,
      width: element.clientWidth,
      height: Math.min(element.clientHeight, innerHeight - y),
      offset: element.scrollTop,
      maxOffset: Math.max(0, element.scrollHeight - element.clientHeight),
      background: backgroundOf(element),
    };
  });
}

function backgroundOf(element: Element): number[] {
  for (let each: Element | null = element; each; each = parentElement(each)) {
    const { backgroundColor, backgroundImage } = getComputedStyle(each);
    if (backgroundImage !== "none") return [];
    const [red, green, blue, alpha = 1] = (backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (red !== undefined && green !== undefined && blue !== undefined && alpha > 0) return [red, green, blue];
  }
  return [255, 255, 255];
}

/**
 * Scrolls the page itself to its end where elements scroll in its place, so that all of these is in the window. Returns by how many CSS
 * pixels it was scrolled.
 */
export async function scrollPageToEnd(): Promise<number> {
  window.scrollTo({ top: scrollingElement().scrollHeight, behavior: "instant" });
  if (scrollY > 0) await nextFrame();
  return scrollY;
}

/**
 * Scrolls all panes to an offset, as a person does who passes what is between, in so many frames, and waits for the frame in which observers
 * notice: something that a page shows in the middle of a window alone is passed in one of them. Lazy images and frames load from now on.
 */
export async function scrollPanes(offset: number, framesBetween: number): Promise<void> {
  for (const root of openRoots()) {
    for (const lazy of queryAll(root, "img[loading=lazy], iframe[loading=lazy]"))
      changes.setAttribute(lazy, "loading", "eager");
  }
  followChanges();
  record.tracksBefore = new Map(record.tracks);
  record.offsetsBefore = record.offsets;
  const from = Math.max(...record.offsets.values());
  for (let frame = 1; frame <= framesBetween && offset > from && offset - from <= innerHeight; frame++) {
    scrollAllPanes(from + ((offset - from) * frame) / (framesBetween + 1));
    await nextFrame();
  }
  const now = Math.round(performance.now());
  noteScroll(now);
  startMotions(now);
  scrollAllPanes(offset);
  await nextFrame();
}

function scrollAllPanes(offset: number): void {
  for (const element of record.panes) (element ?? window).scrollTo({ top: offset, behavior: "instant" });
}
