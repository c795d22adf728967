/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Lists what the window shows, so that windows are joined between lines of text, pictures and boxes, and what is there but unseen.
import { animationsIn } from "../injected/dom/animations.ts";
import { openRoots, queryAllRoots } from "../injected/dom/shadow-roots.ts";
import { parentElement } from "../injected/dom/tree.ts";
import { changesLeftMs } from "./follow-changes.page.ts";
import { answerLeftMs } from "./late-changes.page.ts";
import { idOf, idOfText, record } from "./record.page.ts";

export type ItemKind = "text" | "picture" | "box" | "section";

/** A line of text, a picture, a box with a background or border, or a section of the page. Lengths are in CSS pixels of the window. */
export interface Item {
  /** The same in all windows that show it; begins with the number of its node. */
  readonly id: string;
  readonly kind: ItemKind;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const MAX_LINES = 1_500;
const MAX_ITEMS = 3_500;

/** Elements with a smaller opacity are not seen. */
const MIN_OPACITY = 0.02;

const PICTURES = /^(img|video|canvas|svg|iframe|input|button|object)$/;
const SECTIONS = /^(section|article|header|footer|li|tr|figure)$/;

export function listItems(): Item[] {
  const isShown = memoize((element: Element | null): boolean => {
    if (!element) return true;
    const { opacity, display } = getComputedStyle(element);
    return Number(opacity) > MIN_OPACITY && display !== "none" && isShown(parentElement(element));
  });
  const clipOf = memoize((element: Element | null): Clip => {
    if (!element) return { ...EVERYWHERE, within: undefined };
    const style = getComputedStyle(element);
    const isFixed = style.position === "fixed";
    const around = clipOf(parentElement(element));
    const outer: Edges = isFixed ? (around.within ?? EVERYWHERE) : around;
    const clips = style.clipPath !== "none";
    if (!clips && (style.overflow === "visible" || element === document.body))
      return isFixed ? { ...outer, within: around.within } : around;
    const inner = intersection(outer, element.getBoundingClientRect());
    return { ...inner, within: clips ? inner : around.within };
  });
  const items: Item[] = [];
  const add = (id: string, kind: ItemKind, box: DOMRect, element: Element) => {
    const { left, top, right, bottom } = intersection(clipOf(element), box);
    if (right - left <= 1 || bottom - top <= 1) return;
    items.push({ id, kind, x: left, y: top, width: right - left, height: bottom - top });
  };
  for (const root of openRoots()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (items.length < MAX_LINES && walker.nextNode()) {
      const text = walker.currentNode as Text;
      const element = text.parentElement;
      if (!element || !text.data.trim() || !isInRows(element.getBoundingClientRect())) continue;
      if (getComputedStyle(element).visibility !== "visible" || !isShown(element)) continue;
      range.selectNodeContents(text);
      for (const [line, box] of [...range.getClientRects()].entries())
        if (isInWindow(box))
          add(`${idOfText(text, element)} ${line} ${text.data.trim().slice(0, 40)}`, "text", box, element);
    }
  }
  for (const element of queryAllRoots<Element>("*")) {
    if (items.length >= MAX_ITEMS) break;
    const box = element.getBoundingClientRect();
    if (!isInWindow(box)) continue;
    const style = getComputedStyle(element);
    const kind = style.visibility === "visible" ? kindOf(element, box, style) : undefined;
    if (kind && isShown(element)) add(String(idOf(element)), kind, box, element);
  }
  return items;
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const EVERYWHERE: Edges = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };

/** What of an element's content is not clipped; and by clip paths alone, which clip fixed elements as well. */
interface Clip extends Edges {
  readonly within: Edges | undefined;
}

function intersection(one: Edges, other: Edges): Edges {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

function kindOf(element: Element, { height }: DOMRect, style: CSSStyleDeclaration): ItemKind | undefined {
  if (PICTURES.test(element.localName) || style.clipPath !== "none") return "picture";
  if (isPainted(style)) return "box";
  const isBlock = SECTIONS.test(element.localName) || /^(body|main)$/.test(element.parentElement?.localName ?? "");
  return isBlock && height > 20 && height < 1.6 * innerHeight ? "section" : undefined;
}

function isPainted({ backgroundImage, backgroundColor, borderTopWidth, boxShadow }: CSSStyleDeclaration): boolean {
  return (
    backgroundImage !== "none" || !isTransparent(backgroundColor) || borderTopWidth !== "0px" || boxShadow !== "none"
  );
}

function isTransparent(colour: string): boolean {
  return colour === "transparent" || /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

function isInRows({ top, bottom }: DOMRect): boolean {
  return bottom > 0 && top < innerHeight;
}

function isInWindow(box: DOMRect): boolean {
  return box.width > 1 && box.height > 1 && isInRows(box) && box.right > 0 && box.left < innerWidth;
}

function memoize<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

/** Elements that are looked for in one window. */
const MAX_UNSEEN = 400;

/** Elements of a kind are no longer looked for when so many of them stayed unseen. */
const MAX_FAILURES = 2;

/**
 * Elements that have something to show and are invisible: the middles, in CSS pixels of the window, of those in its central part, where a
 * page may show them; and whether there are more further down, up to the end of the next window.
 */
export function findUnseen(): { middles: number[]; hasMoreBelow: boolean } {
  const candidates: { middle: number; element: Element }[] = [];
  let hasMoreBelow = false;
  for (const element of queryAllRoots<Element>("*")) {
    if (candidates.length >= MAX_UNSEEN) break;
    if (record.tried.has(element) || record.hidings.has(element)) continue;
    const box = element.getBoundingClientRect();
    const middle = box.top + box.height / 2;
    const isCentral = middle > 0.2 * innerHeight && middle < 0.8 * innerHeight;
    const isBelow = middle >= 0.8 * innerHeight && middle < 2 * innerHeight;
    if (box.height > innerHeight || box.right < 0 || box.left > innerWidth || !(isCentral || isBelow)) continue;
    const style = getComputedStyle(element);
    if (
      style.position === "fixed" ||
      !isUnseen(element, style, box) ||
      isInHidden(element) ||
      !hasContent(element, style)
    )
      continue;
    if ((record.failures.get(signature(element)) ?? 0) >= MAX_FAILURES) continue;
    if (isCentral) candidates.push({ middle, element });
    else hasMoreBelow = true;
  }
  record.unseen = candidates;
  return { middles: candidates.map(({ middle }) => middle).sort((one, other) => one - other), hasMoreBelow };
}

/** Notes that the elements with these middles need no window of their own any more. */
export function dismissUnseen(middles: readonly number[]): void {
  for (const { element } of candidatesAt(middles)) record.tried.add(element);
}

/** How many of the elements with these middles are unseen in the window that was scrolled to for them. */
export function countUnseen(middles: readonly number[]): number {
  return candidatesAt(middles).filter(({ element }) => isInvisible(element)).length;
}

/** Notes that these elements have had a window of their own, and which of them it has not shown. Returns how many it has. */
export function noteTried(middles: readonly number[]): number {
  let seen = 0;
  for (const { element } of candidatesAt(middles)) {
    record.tried.add(element);
    if (isInvisible(element))
      record.failures.set(signature(element), (record.failures.get(signature(element)) ?? 0) + 1);
    else seen++;
  }
  return seen;
}

function candidatesAt(middles: readonly number[]): typeof record.unseen {
  return record.unseen.filter(({ middle }) => middles.includes(middle));
}

function isInvisible(element: Element): boolean {
  return invisibility(element, getComputedStyle(element), element.getBoundingClientRect());
}

function isUnseen(element: Element, style: CSSStyleDeclaration, box: DOMRect): boolean {
  const { offsetHeight = box.height, offsetWidth = box.width } = element as Partial<HTMLElement>;
  if (Math.max(offsetHeight, box.height) < 8 || Math.max(offsetWidth, box.width) < 8) return false;
  return invisibility(element, style, box);
}

function invisibility(element: Element, style: CSSStyleDeclaration, { width, height }: DOMRect): boolean {
  const parent = parentElement(element);
  if (Number(style.opacity) < MIN_OPACITY) return true;
  if (style.visibility === "hidden") return !parent || getComputedStyle(parent).visibility !== "hidden";
  if (clipsHalf(style.clipPath)) return true;
  return (width < 1 || height < 1) && style.transform !== "none";
}

/** True for a clip path that clips half of an element or more at one side. */
function clipsHalf(clipPath: string): boolean {
  const clipped = clipPath.startsWith("inset(") ? clipPath.split(/[ (,)]/) : [];
  return clipped.some((part) => part.endsWith("%") && Number.parseFloat(part) >= 50);
}

function isInHidden(element: Element): boolean {
  for (let each = parentElement(element); each; each = parentElement(each))
    if (record.hidings.has(each) || Number(getComputedStyle(each).opacity) < MIN_OPACITY) return true;
  return false;
}

const MEDIA = "img, svg, canvas, video";

function hasContent(element: Element, { backgroundImage, backgroundColor }: CSSStyleDeclaration): boolean {
  const text = (element as HTMLElement).innerText ?? element.textContent ?? "";
  if (text.trim() !== "" || element.matches(MEDIA) || element.querySelector(MEDIA)) return true;
  return backgroundImage !== "none" || !isTransparent(backgroundColor);
}

function signature(element: Element): string {
  return `${element.localName}.${String(element.getAttribute("class") ?? "").replace(/\d+/g, "")}`;
}

/** What is about to change in the window: finite animations that run or wait for their delay, and what scripts change. */
export interface Pending {
  /** Milliseconds until the last of these animations has ended; 0 without one. */
  readonly animationMs: number;
  /** Milliseconds until what scripts change has stood long enough, and they have had the time that they usually take; 0 where so. */
  readonly scriptMs: number;
}

/** Distance from the window, in CSS pixels, up to which something counts as in it. */
const NEAR = 150;

export function findPending(): Pending {
  const animations = openRoots().flatMap(animationsIn);
  return {
    animationMs: Math.max(0, ...animations.map(leftMs)),
    scriptMs: Math.max(changesLeftMs(isNear), answerLeftMs()),
  };
}

function leftMs(animation: Animation): number {
  const { effect, playState, playbackRate, timeline, currentTime, pending } = animation;
  if ((playState !== "running" && !pending) || playbackRate === 0 || !effect) return 0;
  if (timeline && String(timeline) !== "[object DocumentTimeline]") return 0;
  const endMs = Number(effect.getComputedTiming().endTime);
  const target = "target" in effect ? (effect as KeyframeEffect).target : null;
  if (!Number.isFinite(endMs) || (target && !isNear(target))) return 0;
  return Math.max(0, (endMs - Number(currentTime ?? 0)) / Math.abs(playbackRate));
}

/** True for an element that has boxes, unlike the title of a document, in the window or near it. */
function isNear(element: Element): boolean {
  if (element.getClientRects().length === 0) return false;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > -NEAR && top < innerHeight + NEAR && right > -innerWidth && left < 2 * innerWidth;
}
