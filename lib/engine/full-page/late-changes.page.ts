/// <reference lib="dom" />
// Learns how long a page takes to answer that something comes into view, such as by a timer: what changes after the visit has left it
// was not waited for long enough. Pages that answer at once are not waited for any longer.
import { type LeftWindow, record } from "./record.page.ts";

/** What changes so soon after a window was scrolled to changes because it has left the window. */
const LEAVING_MS = 100;

/** The longest time to an answer, in milliseconds; what changes later has a rhythm of its own. */
const MAX_ANSWER_MS = 2_500;

/** An answer may take longer elsewhere, by so many milliseconds. */
const MARGIN_MS = 100;

/** Elements whose boxes are looked at in one window. */
const MAX_LOOKS = 50;

export interface LateChange {
  /** When the element changes, and when it has changed before, by `performance.now()`. */
  readonly now: number;
  readonly before: number | undefined;
  /** True for a text that has stood for long enough to count as at rest. */
  readonly isRest: boolean;
}

/** Notes that the page is scrolled to a window: what is in the window before has had its time. */
export function noteScroll(now: number): void {
  const left = [...record.left, { offsets: record.offsets, at: record.scrolledAt }];
  record.left = left.filter(({ at, offsets }) => now - at <= MAX_ANSWER_MS && offsets.size > 0);
  record.scrolledAt = now;
  record.looks = 0;
}

/** Notes a change of an element that was in windows before this one, and has left them by now. */
export function noteLateChange(element: Element, { now, before, isRest }: LateChange): void {
  const [first] = record.left;
  if (!first || now - record.scrolledAt < LEAVING_MS) return;
  const isFirst = before === undefined;
  const isResumed = isRest && before !== undefined && before >= first.at;
  if (!(isFirst || isResumed) || record.looks++ >= MAX_LOOKS) return;
  const windows = windowsLeftBy(element).filter(({ at }) => now - at <= MAX_ANSWER_MS);
  if (!windows[0]) return;
  if (isFirst) record.answerMs = Math.max(record.answerMs, now - windows[0].at + MARGIN_MS);
  else if (before !== undefined) record.textPauseMs = Math.max(record.textPauseMs, now - before);
  for (const { offsets } of windows) record.lateOffsets.add(Math.max(...offsets.values()));
}

/** The windows that showed the middle of an element which this one does not show. */
function windowsLeftBy(element: Element): LeftWindow[] {
  const { top, bottom, width, height } = element.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  const isInWindow = (y: number) => y > 0 && y < innerHeight;
  if (width < 1 || height < 1 || isInWindow(middle)) return [];
  return record.left.filter(({ offsets }) =>
    [...offsets].some(([pane, offset]) => {
      if (pane && !pane.contains(element)) return false;
      return isInWindow(middle + (pane ? pane.scrollTop : scrollY) - offset);
    }),
  );
}

/** Notes that the page has answered this window only by now: it takes so long elsewhere as well. */
export function noteLateAnswer(): void {
  record.answerMs = Math.max(
    record.answerMs,
    Math.min(MAX_ANSWER_MS, performance.now() - record.scrolledAt + MARGIN_MS),
  );
}

/** Milliseconds until the page has had the time for its answers that it took in other windows; 0 where it takes none. */
export function answerLeftMs(): number {
  return Math.max(0, record.answerMs - (performance.now() - record.scrolledAt));
}

/** The offsets of windows that were left before the page had answered. */
export function listLateOffsets(): number[] {
  return [...record.lateOffsets];
}
