/// <reference lib="dom" />
// Follows what scripts change, such as counters, typed headlines and cards that appear one by one: it counts once it has come to rest.
import { openRoots } from "../injected/dom/shadow-roots.ts";
import { parentElement } from "../injected/dom/tree.ts";
import { noteLateChange } from "./late-changes.page.ts";
import { type Changing, record } from "./record.page.ts";

/** For how long a text has to stand, in milliseconds. */
const STANDING_MS = 500;

/** What has changed with pauses stands once none of them is followed by a change, as a multiple of the longest one. */
const PAUSES = 1.5;

/** Changes that are closer belong to one step. */
const MIN_PAUSE_MS = 50;

/** What changes for so long never stands, such as a stopwatch; after a longer pause it begins again. */
const ENDLESS_MS = 4_500;
const MAX_PAUSE_MS = 1_200;

/** Texts, and groups, that are followed. */
const MAX_FOLLOWED = 500;

/** What changes so soon after a scroll is there at once, such as the rows of a virtual list, unless texts of the page change by steps. */
const AT_ONCE_MS = 100;

/** Follows all open roots, also those that have come since the last call. */
export function followChanges(): void {
  record.changeObserver ??= new MutationObserver(noteMutations);
  const all = { subtree: true, childList: true, characterData: true, attributeFilter: ["class", "style", "src"] };
  for (const root of openRoots()) record.changeObserver.observe(root, all);
}

function noteMutations(mutations: readonly MutationRecord[]): void {
  const now = Math.round(performance.now());
  for (const [element, isText] of changedElements(mutations)) {
    const before = record.changedAt.get(element);
    noteLateChange(element, { now, before, isRest: isText && before !== undefined && now - before >= STANDING_MS });
    record.changedAt.set(element, now);
    const group = isText ? element : parentElement(element);
    if (group) note(isText ? record.texts : record.groups, group, now);
  }
}

/** The elements that a script of the page has changed, and whether that is their text. */
function changedElements(mutations: readonly MutationRecord[]): Map<Element, boolean> {
  const changed = new Map<Element, boolean>();
  for (const { type, target } of mutations) {
    const element = target instanceof Element ? target : parentElement(target);
    if (!element || (type === "attributes" && record.kinds.has(element))) continue;
    const isText = type === "characterData" || (type === "childList" && isTextElement(element));
    changed.set(element, isText || changed.get(element) === true);
    // What is added is followed as a change of its parent's children.
    if (type === "childList" && !isText && element.lastElementChild) changed.set(element.lastElementChild, false);
  }
  return changed;
}

/** True for an element of little more than a text. Others change when a page adds to them. */
function isTextElement({ childElementCount, textContent }: Element): boolean {
  return childElementCount === 0 && (textContent ?? "").trim() !== "";
}

function note(all: Map<Element, Changing>, element: Element, now: number): void {
  const before = all.get(element);
  if (!before && all.size >= MAX_FOLLOWED) return;
  const gap = before ? now - before.until : Number.POSITIVE_INFINITY;
  if (!before || gap > MAX_PAUSE_MS) {
    all.set(element, { since: now, until: now, pauseMs: 0 });
    return;
  }
  // What a window hides again when it is left has paused because of the visit.
  const isOwn = before.until >= record.scrolledAt && gap >= MIN_PAUSE_MS;
  const pauseMs = isOwn ? Math.max(before.pauseMs, gap) : before.pauseMs;
  if (all === record.texts) record.textPauseMs = Math.max(record.textPauseMs, pauseMs);
  all.set(element, { since: before.since, until: now, pauseMs });
}

/** Milliseconds until what changes in the window has stood long enough, if it changes no more; 0 where it has. */
export function changesLeftMs(isInWindow: (element: Element) => boolean): number {
  const now = Math.round(performance.now());
  const isEndless = ({ since, until }: Changing) => until - since > ENDLESS_MS;
  const leftMs = (all: ReadonlyMap<Element, Changing>, standingMs: (changing: Changing) => number) =>
    [...all]
      .filter(([, changing]) => !isEndless(changing) && standingMs(changing) > now - changing.until)
      .filter(([element]) => isInWindow(element))
      .map(([, changing]) => standingMs(changing) - (now - changing.until));
  const textMs = Math.max(STANDING_MS, PAUSES * record.textPauseMs);
  const isAtOnce = ({ until }: Changing) => record.textPauseMs === 0 && until - record.scrolledAt < AT_ONCE_MS;
  return Math.max(
    0,
    ...leftMs(record.texts, (text) => (isAtOnce(text) ? 0 : textMs)),
    ...leftMs(record.groups, ({ pauseMs }) => PAUSES * pauseMs),
  );
}
