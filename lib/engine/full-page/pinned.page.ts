/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds what is pinned to the window by watching it while the page is scrolled, pinned by CSS or by a script, and shows it in one window only.
import { isFixedToWindow } from "../injected/dom/fixed-position.ts";
import { queryAllRoots } from "../injected/dom/shadow-roots.ts";
import { contains, elementsIn, parentElement } from "../injected/dom/tree.ts";
import { applyHiding, isHidingReplaced, revertHiding } from "./changes.page.ts";
import { idOf, type Kind, record, type Track } from "./record.page.ts";

export interface Pin {
  readonly id: number;
  readonly kind: Kind;
  readonly isPinned: boolean;
  /** False for what is fixed to the window from the start: it belongs to no place of the page. */
  readonly isPlaced: boolean;
  /** Lengths in CSS pixels; `home` is its place on the page. */
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly home: number;
}

export interface WindowPlace {
  /** How far the content has moved by itself since the start of the visit, in CSS pixels. */
  readonly shift: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** False where what is pinned stays in all windows. */
  readonly hidesPinned: boolean;
  /** True where scenes stand at their start alone. */
  readonly holdsScenes: boolean;
}

/** Elements that are followed. */
const MAX_FOLLOWED = 20_000;

/** A scroll by fewer pixels does not say what is pinned. */
const MIN_SCROLL = 8;

export interface ObservedPins {
  readonly pins: Pin[];
  /** True when other elements are shown or hidden than before. */
  readonly hasChanged: boolean;
  /** True when something further down, before the end of the next window, may become pinned. */
  readonly hasStickyAhead: boolean;
}

/** Notes where each element is, and shows those that are pinned only in their windows. */
export function observePinned(place: WindowPlace): ObservedPins {
  const before = describeHidings();
  const scrolls = describeScrolls();
  const windowOffset = scrolls[0]?.offset ?? 0;
  for (const element of queryAllRoots<Element>("*").slice(0, MAX_FOLLOWED)) {
    const track = followElement(element, { windowOffset, shift: place.shift, ...scrollAround(element, scrolls) });
    if (track) record.tracks.set(element, track);
    else record.tracks.delete(element);
  }
  for (const element of record.tracks.keys()) if (!element.isConnected) record.tracks.delete(element);
  const pins = [...record.tracks].flatMap(([element, track]) => applyPin(element, track, place) ?? []);
  const hasStickyAhead = [...record.tracks.values()].some(
    ({ isSticky, top, height }) => isSticky && top + height > innerHeight && top < 2 * innerHeight,
  );
  return { pins, hasChanged: describeHidings() !== before, hasStickyAhead };
}

interface PaneScroll {
  readonly pane: HTMLElement | null;
  readonly offset: number;
  readonly scrolled: number;
}

/** How far each pane is scrolled, and by how much since the window before; the furthest one at first. */
function describeScrolls(): PaneScroll[] {
  return [...record.offsets]
    .map(([pane, offset]) => ({ pane, offset, scrolled: offset - (record.offsetsBefore.get(pane) ?? offset) }))
    .sort((one, other) => other.offset - one.offset);
}

/** That of the pane around an element, or of the furthest one where none is. */
function scrollAround(element: Element, scrolls: readonly PaneScroll[]): PaneScroll {
  return scrolls.find(({ pane }) => !pane || contains(pane, element)) ?? scrolls[0] ?? NOT_SCROLLED;
}

const NOT_SCROLLED: PaneScroll = { pane: null, offset: 0, scrolled: 0 };

function describeHidings(): string {
  return [...record.hidings].map(([element, { how }]) => `${idOf(element)} ${how}`).join();
}

/** The numbers of the nodes that only some windows show because they are in pinned elements. */
export function listPinnedNodes(): number[] {
  const isShownOnce = ([, kind]: [Element, Kind]) => kind !== "layer" && kind !== "scene";
  const pinned = [...record.kinds].filter(isShownOnce).map(([element]) => element);
  return pinned.flatMap(nodesIn).flatMap((node) => record.ids.get(node) ?? []);
}

function nodesIn(element: Element): Node[] {
  const elements = elementsIn(element, MAX_FOLLOWED);
  return elements.flatMap((each) => [
    each,
    ...[...each.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
  ]);
}

interface Scroll {
  /** The offset of the window, which is that of the furthest pane. */
  readonly windowOffset: number;
  readonly offset: number;
  readonly scrolled: number;
  readonly shift: number;
}

function followElement(element: Element, { windowOffset, offset, scrolled, shift }: Scroll): Track | undefined {
  if (element === document.documentElement || element === document.body) return undefined;
  const inner = record.panes.filter((pane) => pane !== null);
  if (inner.some((pane) => contains(element, pane))) return undefined; // the pane itself, and what is around it
  const isOutside = inner.length > 0 && !inner.some((pane) => contains(pane, element));
  const box = element.getBoundingClientRect();
  if (box.width < 2 || box.height < 2) return undefined;
  if (isOutside && !inner.some((pane) => overlaps(box, pane.getBoundingClientRect()))) return undefined;
  const top = box.top - heldBy(element);
  const place = top + offset + shift;
  const before = record.tracksBefore.get(element);
  const { position } = getComputedStyle(element);
  const isFixed = position === "fixed" && !isOutside && isFixedToWindow(element);
  let [isPinned, isMoving] = [false, false];
  if (Math.abs(scrolled) < MIN_SCROLL) [isPinned, isMoving] = [before?.isPinned ?? false, before?.isMoving ?? false];
  else if (before) {
    const isStill =
      Math.abs(top - before.top) <= 1 && Math.abs(box.height - before.height) <= Math.max(2, box.height / 50);
    const lagsBehind = position === "sticky" && before.hasMoved && place - before.home > 2 && !before.wasPinned;
    isPinned = isStill || lagsBehind || (isFixed && !before.isFixed);
    isMoving = Math.abs(top - before.top + scrolled) <= 2 || Math.abs(place - before.place) <= 2;
    if (!isPinned && !isMoving && box.bottom > 0 && box.top < innerHeight) noteStray(element, windowOffset);
  } else if (isFixed && box.bottom > 0 && box.top < innerHeight) {
    isPinned = true;
    record.late.add(element);
  }
  if (isFixed && scrolled === 0 && offset <= 1 && !isSeen(element)) record.late.add(element);
  const wasPinned = isPinned || (before?.wasPinned ?? false);
  return {
    top,
    height: box.height,
    place,
    home: !before || (isMoving && !before.wasPinned && !isPinned) ? place : before.home,
    isFixed,
    isSticky: position === "sticky",
    isPinned,
    wasPinned,
    isMoving: isMoving && !isPinned,
    hasMoved: isMoving || (before !== undefined && (before.hasMoved || (isFixed && !before.isFixed))),
  };
}

function isSeen(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function noteStray(element: Element, offset: number): void {
  const offsets = record.strays.get(element) ?? new Set();
  record.strays.set(element, offsets.add(offset));
}

/** The offsets of windows that show elements away from their place which were found to be pinned only later, and those with a foot. */
export function findStrays(): { offsets: number[]; hasFoot: boolean } {
  const isShownOnce = (element: Element) => /^(?:once|side|cover|foot)$/.test(record.kinds.get(element) ?? "");
  const offsets = [...record.strays].flatMap(([element, all]) => (isShownOnce(element) ? [...all] : []));
  return { offsets: [...new Set(offsets)], hasFoot: [...record.kinds.values()].includes("foot") };
}

function overlaps(one: DOMRect, other: DOMRect): boolean {
  const [x, y] = [one.left < other.right - 2 && one.right > other.left + 2, one.top < other.bottom - 2];
  return x && y && one.bottom > other.top + 2;
}

/** By how many pixels an element, or one around it, is held at its place. */
function heldBy(element: Element): number {
  for (let each: Element | null = element; each; each = parentElement(each)) {
    const hiding = record.hidings.get(each);
    if (hiding?.how === "held") return hiding.by;
  }
  return 0;
}

function applyPin(element: Element, track: Track, at: WindowPlace): Pin | undefined {
  if (!track.wasPinned || isInPinned(element)) return undefined;
  const box = element.getBoundingClientRect();
  if (isViewport(element, track, box)) return undefined;
  if (!element.checkVisibility({ opacityProperty: false, visibilityProperty: true })) return undefined;
  if (fillsWindow(box) && track.isFixed && !record.hidings.has(element) && !isSeen(element)) return undefined;
  const kind = kindOf(element, track, box);
  const { home, place, top } = track;
  const isPlaced = track.hasMoved || !track.isFixed;
  const isPinned = track.isPinned && (kind !== "scene" || isPlaced || lookAt(element, box).shareOnTop >= MIN_ON_TOP);
  const isAtHome = Math.abs(place - home) <= 2;
  const isTall = box.height >= 0.3 * innerHeight;
  if (!at.hidesPinned || kind === "layer" || (kind === "scene" && !at.holdsScenes)) revertHiding(element);
  else if (record.late.has(element)) makeTransparent(element);
  else if (kind === "foot") {
    const isPlaced = isPinned || track.isFixed || at.isFirst;
    if (!isPlaced || at.isLast) revertHiding(element);
    else makeTransparent(element);
  } else if (kind === "side" || kind === "cover") {
    if (at.isFirst) revertHiding(element);
    else makeHollow(element);
  } else if (isAtHome) revertHiding(element);
  else if (isTall && track.hasMoved) hold(element, home - place);
  else makeTransparent(element);
  return { id: idOf(element), kind, isPinned, isPlaced, top, height: box.height, width: box.width, home };
}

/** True for an element in another pinned one, which decides for both. */
function isInPinned(element: Element): boolean {
  for (let each = parentElement(element); each; each = parentElement(each))
    if (record.tracks.get(each)?.wasPinned && !record.viewports.has(each)) return true;
  return false;
}

/** True for a pinned element in which content moves with the page. Once it is pinned no more, all in it moves with the page. */
function isViewport(element: Element, { isPinned }: Track, box: DOMRect): boolean {
  if (record.viewports.has(element)) return true;
  if (!isPinned || box.height < innerHeight / 2) return false;
  const inside = elementsIn(element, MAX_FOLLOWED).slice(1);
  if (!inside.some((each) => record.tracks.get(each)?.isMoving)) return false;
  record.viewports.add(element);
  for (const each of [...record.hidings.keys()]) if (contains(element, each)) revertHiding(each);
  return true;
}

function kindOf(element: Element, track: Track, box: DOMRect): Kind {
  const known = record.kinds.get(element);
  if (known === "scene" || known === "layer") return known;
  const kind = classify(element, track, box);
  record.kinds.set(element, kind);
  return kind;
}

function classify(element: Element, { isFixed, hasMoved, home }: Track, box: DOMRect): Kind {
  const [width, height] = [box.width / innerWidth, box.height / innerHeight];
  if (fillsWindow(box)) {
    const { shareOnTop, hidesContent } = lookAt(element, box);
    if (shareOnTop < MIN_ON_TOP) return "layer";
    const hasScrolled = Math.max(...record.offsets.values()) >= innerHeight / 2 - 1;
    if (!isFixed || Math.abs(home) >= 5 || hasMoved) return "scene";
    return hasScrolled && !hidesContent && shareOnTop >= MIN_ALONE ? "scene" : "cover";
  }
  if (width >= 0.5 && height >= 0.5) return hasMoved || !isFixed ? "scene" : "once";
  const isAlongEdge = height >= 0.5 && box.bottom >= innerHeight - 2;
  const isSeenByScrolling = hasMoved && home + box.height > innerHeight + 2;
  if (isFixed && !isSeenByScrolling && (height >= 0.9 || isAlongEdge)) return "side";
  const isLow = box.top + box.height / 2 > innerHeight / 2;
  return isLow && (isFixed || !hasMoved) && height < 0.5 ? "foot" : "once";
}

function fillsWindow({ width, height }: DOMRect): boolean {
  return width >= 0.9 * innerWidth && height >= 0.9 * innerHeight;
}

/** The share of an element that nothing covers, where it is not behind the content; and where no content has come over it. */
const MIN_ON_TOP = 0.5;
const MIN_ALONE = 0.6;

interface Look {
  /** The share of nine points of the element at which nothing that is seen covers it. */
  readonly shareOnTop: number;
  /** True when it is over content that moves with the page, as a dialog is, and a scene is not. */
  readonly hidesContent: boolean;
}

/** Looks at what is at the points of an element, even where the pointer goes through it. */
function lookAt(element: Element, box: DOMRect): Look {
  const { style } = element as HTMLElement;
  const isThrough = getComputedStyle(element).pointerEvents === "none";
  const before = element.getAttribute("style");
  if (isThrough) style.setProperty("pointer-events", "auto", "important");
  const look = { shareOnTop: shareOnTop(element, box), hidesContent: hidesContent(element) };
  if (isThrough && before === null) element.removeAttribute("style");
  else if (isThrough) element.setAttribute("style", before ?? "");
  return look;
}

function shareOnTop(element: Element, box: DOMRect): number {
  const shares = [0.1, 0.5, 0.9];
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  const isOnTop = (x: number, y: number) => isTopmost(element, left + x * (right - left), top + y * (bottom - top));
  return shares.flatMap((x) => shares.filter((y) => isOnTop(x, y))).length / shares.length ** 2;
}

/** True when the first element at a point that is seen, or was until the visit hid it, is in this one. */
function isTopmost(element: Element, x: number, y: number): boolean {
  const first = document.elementsFromPoint(x, y).find((each) => isSeen(each) || isInHidden(each));
  return first !== undefined && contains(element, first);
}

function isInHidden(element: Element): boolean {
  for (let each: Element | null = element; each; each = parentElement(each)) if (record.hidings.has(each)) return true;
  return false;
}

function hidesContent(element: Element): boolean {
  return [...record.tracks].some(([each, { isMoving }]) => {
    if (!isMoving || contains(element, each) || !showsSomething(each)) return false;
    const { left, top, width, height } = each.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return y >= 0 && y < innerHeight && isTopmost(element, x, y);
  });
}

function showsSomething(element: Element): boolean {
  if (element.matches("img, svg, canvas, video")) return true;
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
}

function makeTransparent(element: Element): void {
  applyHiding(element, "transparent", { transition: "none", animation: "none", opacity: "0" });
}

/** Hides what an element contains, but not its own background, which goes on along the page. */
function makeHollow(element: Element): void {
  if (record.hidings.get(element)?.how === "hollow") return;
  applyHiding(element, "hollow", {});
  for (const each of elementsIn(element, MAX_FOLLOWED).slice(1)) {
    const { height } = each.getBoundingClientRect();
    if (height > 0 && height < 0.9 * innerHeight) makeTransparent(each);
  }
}

/** Moves an element by so many pixels more, to where it belongs on the page. */
function hold(element: Element, by: number): void {
  const known = record.hidings.get(element);
  if (known?.how === "held" && Math.abs(by - known.by) <= 1 && !isHidingReplaced(element, known)) return;
  applyHiding(element, "held", { transition: "none", translate: `0 ${by}px` }, by);
}
