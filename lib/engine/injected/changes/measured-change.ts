/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Changes the layout of a page only where that does no harm: applies a change, compares the layout before and after it, and
// keeps the change or takes it back.
import { Journal } from "./journal.ts";
import { type Box, type Detail, type LayoutSnapshot, takeSnapshot } from "./layout-snapshot.ts";

/** A box that has moved or changed size. */
export interface BoxMovement {
  readonly element: Element;
  readonly before: Box;
  readonly after: Box;
}

/** One way to change a page. Each says how it is measured. */
export interface MeasuredChange {
  /** Makes the change, all of it through the journal. */
  readonly apply: (journal: Journal) => void;
  /** Whether what the change was made for has happened. */
  readonly hasWorked: (after: LayoutSnapshot, before: LayoutSnapshot) => boolean;
  /** Whether the change is the reason that a box has moved or changed size. */
  readonly explains: (movement: BoxMovement) => boolean;
  /** True when the page may become taller. */
  readonly mayGrowPage: boolean;
  /**
   * What is measured: `boxes` is enough for a change that explains no more than the movement of some elements. @default - content
   */
  readonly detail?: Detail;
}

/** What a change did that it was not made for. */
export interface Harm {
  readonly isUseless: boolean;
  readonly isPageLarger: boolean;
  /** Boxes that moved or changed size for no reason of the change. */
  readonly moved: readonly BoxMovement[];
  /** Elements whose text or image was visible, and is no longer. */
  readonly hidden: readonly Element[];
}

export interface TriedChange {
  readonly journal: Journal;
  /** The layout with the change, or, when it was taken back, without it. */
  readonly layout: LayoutSnapshot;
  /** Undefined for a change that was kept. */
  readonly harm: Harm | undefined;
}

/** Makes a change, measures it, and takes it back if it does harm. No frame is painted meanwhile. */
export function tryChange(change: MeasuredChange, before: LayoutSnapshot = takeSnapshot(change.detail)): TriedChange {
  const journal = new Journal();
  change.apply(journal);
  const after = takeSnapshot(change.detail);
  const harm = findHarm(change, before, after);
  if (!harm) return { journal, layout: after, harm };
  journal.revert();
  return { journal, layout: before, harm };
}

interface TriedChanges<T> {
  readonly journals: readonly Journal[];
  readonly refused: readonly T[];
  /** The layout afterwards, if it was measured. */
  readonly layout: LayoutSnapshot | undefined;
}

/** Changes of several elements: together, or, where that does harm, in halves, until those that do harm are left out. */
export function tryEachChange<T>(
  items: readonly T[],
  change: (items: readonly T[]) => MeasuredChange,
  before?: LayoutSnapshot,
): TriedChanges<T> {
  const journals: Journal[] = [];
  const refused: T[] = [];
  let triesLeft = MAX_TRIED_CHANGES;
  let layout = before;
  const visit = (part: readonly T[]) => {
    if (part.length === 0) return;
    if (triesLeft-- <= 0) {
      refused.push(...part);
      return;
    }
    const made = tryChange(change(part), layout);
    layout = made.layout;
    if (!made.harm) journals.push(made.journal);
    else if (part.length === 1) refused.push(...part);
    else {
      visit(part.slice(0, part.length / 2));
      visit(part.slice(part.length / 2));
    }
  };
  visit(items);
  return { journals, refused, layout };
}

/** Each tried change measures the page twice. */
const MAX_TRIED_CHANGES = 24;

/** CSS pixels: boxes are laid out in fractions of pixels. */
const TOLERANCE = 1;

/** A text or image counts as gone when less than this share of it is left. */
const MIN_SHARE_LEFT = 0.25;

/** Square pixels: elements that only assistive technology reads are mostly as large as a pixel. */
const MIN_AREA = 4;

function findHarm(change: MeasuredChange, before: LayoutSnapshot, after: LayoutSnapshot): Harm | undefined {
  const moved: BoxMovement[] = [];
  const hidden: Element[] = [];
  for (const [element, box] of before.boxes) {
    const now = after.boxes.get(element);
    if (!now || (box.seen <= MIN_AREA && now.seen <= MIN_AREA)) continue;
    if (box.hasContent && box.seen > MIN_AREA && now.seen < MIN_SHARE_LEFT * box.seen) hidden.push(element);
    const movement = { element, before: box, after: now };
    if ((isMoved(box, now) || box.seen <= MIN_AREA) && !change.explains(movement)) moved.push(movement);
  }
  const isPageLarger =
    after.width > before.width + TOLERANCE || (!change.mayGrowPage && after.height > before.height + TOLERANCE);
  const isUseless = !change.hasWorked(after, before);
  if (!isUseless && !isPageLarger && moved.length === 0 && hidden.length === 0) return undefined;
  return { isUseless, isPageLarger, moved, hidden };
}

export function isMoved(before: Box, after: Box): boolean {
  return !(
    isNear(before.left, after.left) &&
    isNear(before.top, after.top) &&
    isNear(before.width, after.width) &&
    isNear(before.height, after.height)
  );
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}
