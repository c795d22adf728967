/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Keeps the styles that elements have while they are in view, for a picture of the whole page: reveals and parallax depend on
// the scroll position, and most are undone when the page is back at its top.
import type { Area } from "../geometry/area.ts";
import { scrollingElement } from "./dom/document.ts";
import { openRoots } from "./dom/shadow-roots.ts";
import { isFixedOrSticky } from "./dom/visible-box.ts";

/** What scripts and transitions change to reveal or move an element, without a change of the layout. */
const PROPERTIES = [
  "opacity",
  "visibility",
  "transform",
  "translate",
  "rotate",
  "scale",
  "filter",
  "clip-path",
] as const;
const MOVES = new Set<string>(["transform", "translate", "rotate", "scale"]);

/** Elements that are followed. */
const MAX_ELEMENTS = 3_000;

/** The styles of an element when it was closest to the middle of the window, and how close it was, in CSS pixels. */
interface InViewStyles {
  readonly distance: number;
  readonly values: readonly string[];
}

/** The elements that have changed while the page was scrolled. */
const changed = new Set<HTMLElement | SVGElement>();
const inView = new Map<HTMLElement | SVGElement, InViewStyles>();
let isRecording = false;

/** Records the styles of elements in view which have changed since the first call, for `restoreInView`. */
export function recordInView(): void {
  if (!isRecording) followChanges();
  isRecording = true;
  for (const root of openRoots()) for (const animation of animationsIn(root)) follow(animatedElement(animation));
  const middle = window.innerHeight / 2;
  for (const element of changed) {
    if (!element.isConnected) continue;
    const { top, bottom, width, height } = element.getBoundingClientRect();
    if (bottom <= 0 || top >= window.innerHeight || width * height === 0) continue;
    const distance = Math.abs((top + bottom) / 2 - middle);
    if (distance >= (inView.get(element)?.distance ?? Number.POSITIVE_INFINITY) || isFixedOrSticky(element)) continue;
    inView.set(element, { distance, values: valuesOf(element) });
  }
}

/** Scroll offsets that are visited besides those of scrolling through, and how close to the middle is close enough. */
const MAX_VISITS = 24;
const CLOSE = 0.1;

/**
 * The scroll offsets at which elements are in the middle of the window that follow the scroll position, as with parallax:
 * where they were recorded, they were on their way. The page must be at its top.
 */
export function offsetsToVisit(): number[] {
  const offsets: number[] = [];
  const last = scrollingElement().scrollHeight - window.innerHeight;
  for (const [element, { distance, values }] of inView) {
    if (!element.isConnected || distance < CLOSE * window.innerHeight || isSettled(values)) continue;
    const now = valuesOf(element);
    if (values.every((value, index) => value === now[index])) continue;
    const { top, bottom } = (element.parentElement ?? element).getBoundingClientRect();
    const middle = (top + bottom) / 2 + window.scrollY - window.innerHeight / 2;
    const offset = Math.round(Math.max(0, Math.min(last, middle)));
    if (offsets.every((other) => Math.abs(other - offset) > CLOSE * window.innerHeight)) offsets.push(offset);
  }
  return offsets.sort((one, other) => one - other).slice(0, MAX_VISITS);
}

/** True for an element that is wholly shown where the layout places it. */
function isSettled(values: readonly string[]): boolean {
  const untransformed = /^(none|0px|1|0deg|matrix\(1, 0, 0, 1, 0, 0\)|visible)$/;
  return values.every((value) => untransformed.test(value));
}

/**
 * Gives elements the styles that they had in view, where they are now less visible or moved. Takes all of it back when that
 * makes the page larger. Returns the boxes of those that were moved, in CSS pixels of the page.
 */
export function restoreInView(): Area[] {
  const page = scrollingElement();
  const { scrollWidth, scrollHeight } = page;
  const restored: {
    readonly element: HTMLElement | SVGElement;
    readonly style: string | null;
    readonly moved: boolean;
  }[] = [];
  for (const [element, { values }] of inView) {
    if (!element.isConnected || element.getAnimations().some(isEndless)) continue;
    const now = valuesOf(element);
    const different = PROPERTIES.filter((_, index) => values[index] !== now[index]);
    if (different.length === 0 || Number(values[0]) < Number(now[0])) continue;
    restored.push({ element, style: element.getAttribute("style"), moved: different.some((name) => MOVES.has(name)) });
    element.style.setProperty("transition", "none", "important");
    for (const name of different) element.style.setProperty(name, values[PROPERTIES.indexOf(name)] ?? "", "important");
  }
  if (page.scrollWidth > scrollWidth || page.scrollHeight > scrollHeight) {
    for (const { element, style } of restored) {
      if (style === null) element.removeAttribute("style");
      else element.setAttribute("style", style);
    }
    return [];
  }
  return restored.filter(({ moved }) => moved).map(({ element }) => boxOnPage(element));
}

/** Follows elements whose attributes change, or in which a transition or animation starts. */
function followChanges(): void {
  const observer = new MutationObserver((records) => {
    for (const { target } of records) follow(target);
  });
  const onStart = ({ target }: Event) => follow(target);
  for (const root of openRoots()) {
    observer.observe(root, { attributes: true, subtree: true });
    for (const type of ["transitionrun", "animationstart"]) root.addEventListener(type, onStart, { capture: true });
  }
}

function follow(target: unknown): void {
  const isStyled = target instanceof HTMLElement || target instanceof SVGElement;
  if (isStyled && target !== document.documentElement && target !== document.body && changed.size < MAX_ELEMENTS)
    changed.add(target);
}

function animationsIn(root: Document | ShadowRoot): Animation[] {
  const isDocument = root.nodeType === Node.DOCUMENT_NODE;
  return (isDocument ? Document : ShadowRoot).prototype.getAnimations.call(root);
}

function animatedElement(animation: Animation): Element | null {
  return !isEndless(animation) && animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
}

function isEndless({ effect }: Animation): boolean {
  return !Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0));
}

function valuesOf(element: Element): string[] {
  const style = getComputedStyle(element);
  return PROPERTIES.map((name) => style.getPropertyValue(name));
}

function boxOnPage(element: Element): Area {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + window.scrollX, y: y + window.scrollY, width, height };
}
