/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Keeps the styles that elements have while they are in view, for a picture of the whole page: reveals and parallax depend on
// the scroll position, and most are undone when the page is back at its top.
import { Journal } from "./changes/journal.ts";
import {
  changedElements,
  isEndless,
  isSettled,
  REVEALING_PROPERTIES,
  revealingValues,
  runningAnimations,
  type StyledElement,
} from "./dom/changed-elements.ts";
import { delay, scrollingElement } from "./dom/document.ts";
import { boxInWindow } from "./dom/tree.ts";
import { isFixedOrSticky } from "./dom/visible-box.ts";

/** How tall an element may be, in windows: a wrapper of all content moves with it. */
const MAX_HEIGHT = 2;

/** The styles of an element when it was closest to the middle of the window, and how close it was, in CSS pixels. */
interface InViewStyles {
  readonly distance: number;
  readonly values: readonly string[];
}

const inView = new Map<StyledElement, InViewStyles>();

/** Records the styles of elements in view that have changed since the first call, for `restoreInView`. */
export function recordInView(): void {
  const middle = window.innerHeight / 2;
  for (const element of changedElements()) {
    const { top, bottom, width, height } = boxInWindow(element);
    if (bottom <= 0 || top >= window.innerHeight || width * height === 0) continue;
    if (height > MAX_HEIGHT * window.innerHeight) continue;
    const distance = Math.abs((top + bottom) / 2 - middle);
    if (distance >= (inView.get(element)?.distance ?? Number.POSITIVE_INFINITY) || isFixedOrSticky(element)) continue;
    inView.set(element, { distance, values: revealingValues(element) });
  }
}

const POLL_MS = 30;
let isFirstReaction = true;

/**
 * Waits in real time for what scrolling starts: `reactionMs` for scripts that debounce scrolling, 0 for a page that was not scrolled.
 * Then finishes the transitions and animations that run, and those that begin when others end, for at most `maxMs` in all. A page
 * that has not reacted to the first scroll is not waited for again. Returns whether elements have changed so far.
 */
export async function awaitReveals(reactionMs: number, maxMs: number): Promise<boolean> {
  const expiry = performance.now() + maxMs;
  const mayReveal = changedElements().length > 0 || (isFirstReaction && reactionMs > 0);
  if (reactionMs > 0 && window.scrollY > 0) isFirstReaction = false; // a visit begins at the top, which is no scroll
  if (!mayReveal) return false;
  await delay(Math.min(reactionMs, maxMs));
  for (;;) {
    const running = runningAnimations();
    for (const animation of running) animation.finish();
    if (running.length === 0 || performance.now() >= expiry) return changedElements().length > 0;
    await delay(POLL_MS);
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
    const now = revealingValues(element);
    if (values.every((value, index) => value === now[index])) continue;
    const { top, bottom } = boxInWindow(element.parentElement ?? element);
    const middle = (top + bottom) / 2 + window.scrollY - window.innerHeight / 2;
    const offset = Math.round(Math.max(0, Math.min(last, middle)));
    if (offsets.every((other) => Math.abs(other - offset) > CLOSE * window.innerHeight)) offsets.push(offset);
  }
  return offsets.sort((one, other) => one - other).slice(0, MAX_VISITS);
}

/** The styles of an element to restore. */
interface Restoration {
  readonly element: StyledElement;
  readonly styles: Readonly<Record<string, string>>;
}

/**
 * Gives elements the styles that they had in view, where they are now less visible or moved; but not those that would make the
 * page larger. With `isTimeRunning`, elements that still look as they did keep these styles too: the page may be about to notice that
 * it was scrolled back.
 */
export function restoreInView(isTimeRunning: boolean): void {
  restoreEach(findRestorations(isTimeRunning));
}

function findRestorations(isTimeRunning: boolean): Restoration[] {
  const restorations: Restoration[] = [];
  for (const [element, { values }] of inView) {
    if (!element.isConnected || element.getAnimations().some(isEndless)) continue;
    const now = revealingValues(element);
    const different = REVEALING_PROPERTIES.filter((_, index) => values[index] !== now[index]);
    const restored = isTimeRunning ? REVEALING_PROPERTIES : different;
    if (restored.length === 0 || Number(values[0]) < Number(now[0])) continue;
    const entries = restored.map((name) => [name, values[REVEALING_PROPERTIES.indexOf(name)] ?? ""]);
    const styles = { transition: "none", ...Object.fromEntries(entries) };
    restorations.push({ element, styles });
  }
  return restorations;
}

/** Restores elements together, or, where that makes the page larger, each half of them by itself. */
function restoreEach(restorations: readonly Restoration[]): void {
  if (restorations.length === 0) return;
  const page = scrollingElement();
  const { scrollWidth, scrollHeight } = page;
  const journal = new Journal();
  for (const { element, styles } of restorations) journal.setStyle(element, styles);
  if (page.scrollWidth <= scrollWidth && page.scrollHeight <= scrollHeight) return;
  journal.revert();
  if (restorations.length === 1) return;
  const middle = Math.ceil(restorations.length / 2);
  restoreEach(restorations.slice(0, middle));
  restoreEach(restorations.slice(middle));
}
