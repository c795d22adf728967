// Joins the windows of a visit into one picture: chooses for each row the window that shows it, and changes windows where neighbours
// agree, never through a line of text, a picture or a box. Knows nothing of pages: rows, windows and items alone.
import type { ItemKind } from "./items.page.ts";

/** An item in a window. Rows are those of the picture. */
export interface JoinItem {
  /** The same in all windows that show the item. */
  readonly id: string;
  readonly kind: ItemKind;
  readonly top: number;
  readonly bottom: number;
  /** True for one that is shown in some windows only because it is pinned. */
  readonly isPinned: boolean;
}

export interface JoinWindow {
  /** The first row of the picture that the window shows. */
  readonly top: number;
  readonly items: readonly JoinItem[];
  /** True for a stage of a scene, which is shown whole if it can be. */
  readonly isStage?: boolean;
}

export interface Join {
  /** All of the same height, sorted by their first row. */
  readonly windows: readonly JoinWindow[];
  /** Rows of each window. */
  readonly height: number;
  /** Rows of the picture. */
  readonly rows: number;
  /** The share of the pixels of a row in which two windows differ, from 0 to 1. Both show the row. */
  readonly difference: (upper: number, lower: number, row: number) => number;
  /** Rows of the picture for each CSS pixel. */
  readonly scale: number;
}

/** Rows that one window shows, without `to`. */
export interface WindowPiece {
  readonly window: number;
  readonly from: number;
  readonly to: number;
}

/** The border of two pieces. */
export interface Seam {
  /** The first row below it. */
  readonly row: number;
  readonly upper: number;
  readonly lower: number;
  /** True when both windows show the same in the rows next to the seam, or follow each other as stages of a scene. */
  readonly agrees: boolean;
  /** Items that the picture lacks, or has twice, because of the seam. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

export interface Joined {
  readonly pieces: readonly WindowPiece[];
  readonly seams: readonly Seam[];
  /** Texts and pictures that a window showed and the picture lacks, though nothing has taken their place. */
  readonly missing: readonly JoinItem[];
}

/** What a row costs that is shown far from the middle of its window, at most. */
const FAR = 0.2;

/** A stage of a scene costs less. */
const STAGE_SHARE = 0.2;

/** What a seam costs where windows agree, where they differ and by how much, and where they have no row in common. */
const AGREE = 0.02;
const DIFFER = 90;
const DIFFERENCE = 50;
const APART = 150;

/** What a seam costs between a stage of a scene and a window that begins or ends where it does. */
const NEXT_STAGE = 30;

/** What it costs to cut an item where windows differ, by kind; and all of them together at most. */
const CUT: Readonly<Record<ItemKind, number>> = { text: 60, picture: 50, box: 12, section: 12 };
const MAX_CUT = 300;

/** What an item costs that the picture has twice, or lacks, and a pinned one that it lacks; and all of them together at most. */
const TWICE = 70;
const LOST = 110;
const LOST_PINNED = 250;
const MAX_ITEMS = 1_500;

/** What it costs to show rows by a window that lacks a text or a picture which other windows show there; and for each row at most. */
const MISSING = 250;
const MAX_MISSING_ROW = 25;

/** Rows next to a seam that have to agree: two above it and two below. */
const AGREEING_ROWS = 2;

/** The share of different pixels up to which rows agree. */
export const SAME = 0.001;

/** Taller boxes are backgrounds, which a seam may cut; and taller items are not looked for on both sides of it. In windows. */
const BACKGROUND = 1.6;
const TALL = 0.9;

/** An item that moved by fewer rows between two windows is at the same place. */
const SAME_PLACE = 3;

/** Windows further back are not changed from. */
const MAX_BACK = 8;

/** For a row: the window that shows the row before it where a window shows it, of the windows from the first one on; -1 for none. */
interface Ways {
  readonly first: number;
  readonly before: Int16Array;
}

/** Chooses the window of each row: the cheapest way through all rows (the algorithm of Viterbi). */
export function joinWindows(join: Join): Joined {
  const { windows, height, rows } = join;
  const count = windows.length;
  if (count <= 1) return { pieces: [{ window: 0, from: 0, to: rows }], seams: [], missing: [] };
  const pairs = new PairCosts(join);
  const missing = missingCosts(join);
  let costs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  let next = costs.slice();
  costs[0] = 0;
  const ways: (Ways | undefined)[] = [];
  let [first, last] = [0, 0];
  for (let row = 0; row < rows; row++) {
    while (first < count - 1 && endOf(windows[first], height) <= row) first++;
    while (last < count - 1 && topOf(windows[last + 1]) <= row) last++;
    // Between windows that have moved apart, no window shows the row: the picture is empty there.
    if (first > last) {
      ways.push(undefined);
      continue;
    }
    next.fill(Number.POSITIVE_INFINITY);
    const before = new Int16Array(last - first + 1).fill(-1);
    for (let at = first; at <= last; at++) {
      if (row >= endOf(windows[at], height)) continue;
      const own = rowCost(join, at, row) + (missing[at]?.[row - topOf(windows[at])] ?? 0);
      const stay = (costs[at] ?? 0) + own;
      if (stay < (next[at] ?? 0)) {
        next[at] = stay;
        before[at - first] = at;
      }
      for (let upper = Math.max(0, at - MAX_BACK); row > 0 && upper < at; upper++) {
        const soFar = (costs[upper] ?? 0) + own;
        if (soFar >= (next[at] ?? 0)) continue;
        const cost = soFar + pairs.cost(upper, at, row);
        if (cost >= (next[at] ?? 0)) continue;
        next[at] = cost;
        before[at - first] = upper;
      }
    }
    ways.push({ first, before });
    [costs, next] = [next, costs];
  }
  const pieces = followBack(ways, costs);
  const seams = pieces.slice(1).map((piece, index) => pairs.seam(pieces[index]?.window ?? 0, piece));
  return { pieces, seams, missing: missingItems(join, pieces) };
}

function missingItems({ windows, height }: Join, pieces: readonly WindowPiece[]): JoinItem[] {
  const isContent = ({ kind, isPinned }: JoinItem) => (kind === "text" || kind === "picture") && !isPinned;
  const middleOf = ({ top, bottom }: JoinItem) => (top + bottom) / 2;
  const shown = new Set<string>();
  for (const { window, from, to } of pieces) {
    const items = windows[window]?.items ?? [];
    for (const item of items) if (middleOf(item) >= from && middleOf(item) < to) shown.add(nodeOf(item.id));
  }
  const missing = new Map<string, JoinItem>();
  for (const { top, items } of windows) {
    const own = new Set(items.map(({ id }) => nodeOf(id)));
    const isWhole = (item: JoinItem) => item.top > top + 1 && item.bottom < top + height - 1;
    for (const item of items.filter((each) => isContent(each) && isWhole(each) && !shown.has(nodeOf(each.id)))) {
      const piece = pieces.find(({ from, to }) => middleOf(item) >= from && middleOf(item) < to);
      const others = windows[piece?.window ?? 0]?.items ?? [];
      const overlaps = ({ top, bottom }: JoinItem) => top < item.bottom && bottom > item.top;
      const isReplaced = others.some((other) => isContent(other) && overlaps(other) && !own.has(nodeOf(other.id)));
      if (!isReplaced) missing.set(nodeOf(item.id), item);
    }
  }
  return [...missing.values()];
}

/** The node of an item, by the first two words of its id: its document and its number there. A text that changes remains the same node. */
export function nodeOf(id: string): string {
  return id.split(" ", 2).join(" ");
}

function topOf(window: JoinWindow | undefined): number {
  return window?.top ?? 0;
}

function endOf(window: JoinWindow | undefined, height: number): number {
  return topOf(window) + height;
}

function followBack(ways: readonly (Ways | undefined)[], costs: Float64Array): WindowPiece[] {
  let window = costs.indexOf(Math.min(...costs));
  const pieces: WindowPiece[] = [];
  let to = ways.length;
  for (let row = ways.length - 1; row >= 0; row--) {
    const way = ways[row];
    const before = way?.before[window - way.first] ?? window;
    if (before === window || before < 0) continue;
    pieces.unshift({ window, from: row, to });
    [to, window] = [row, before];
  }
  pieces.unshift({ window, from: 0, to });
  return pieces.filter(({ from, to }) => from < to);
}

/** Rows in the middle of a window cost least: what pages show there has arrived. The first and the last window have no other side. */
function rowCost({ windows, height, scale }: Join, at: number, row: number): number {
  const window = windows[at];
  const middle = topOf(window) + height / 2;
  if ((at === 0 && row < middle) || (at === windows.length - 1 && row > middle)) return 0;
  const distance = (row + 0.5 - middle) / (height / 2);
  return ((distance * distance * FAR) / scale) * (window?.isStage ? STAGE_SHARE : 1);
}

/** What each row of each window costs because the window lacks what others show there, such as a text that it has not revealed yet. */
function missingCosts({ windows, height, scale }: Join): Float64Array[] {
  const shown = new Map<string, JoinItem>();
  for (const item of windows.flatMap(({ items }) => items)) {
    if ((item.kind !== "text" && item.kind !== "picture") || item.isPinned) continue;
    const known = shown.get(item.id);
    if (!known || known.bottom - known.top < item.bottom - item.top) shown.set(item.id, item);
  }
  const sorted = [...shown.values()].sort((one, other) => one.top - other.top);
  return windows.map(({ top, items }) => {
    const own = new Set(items.map(({ id }) => id));
    const covered = sorted.filter((item) => item.top >= top && item.bottom <= top + height && !own.has(item.id));
    const ranges = covered.map((item) => ({ from: item.top, to: item.bottom, cost: missingCost(item) }));
    return sumOverRows(ranges, top, height).map((cost) => Math.min(MAX_MISSING_ROW / scale, cost));
  });
}

function missingCost({ top, bottom }: JoinItem): number {
  return MISSING / Math.max(1, bottom - top);
}

/** What it costs to change from one window to another one at each row. */
class PairCosts {
  readonly #join: Join;
  readonly #pairs = new Map<number, PairCost>();

  constructor(join: Join) {
    this.#join = join;
  }

  cost(upper: number, lower: number, row: number): number {
    const pair = this.#pair(upper, lower);
    const { agrees, cost } = pair.rows(row);
    return cost + (agrees ? 0 : pair.cut(row)) + pair.items(row);
  }

  seam(upper: number, { window: lower, from: row }: WindowPiece): Seam {
    const pair = this.#pair(upper, lower);
    return { row, upper, lower, agrees: pair.rows(row).agrees, ...pair.affected(row) };
  }

  #pair(upper: number, lower: number): PairCost {
    const key = upper * this.#join.windows.length + lower;
    const known = this.#pairs.get(key) ?? new PairCost(this.#join, upper, lower);
    this.#pairs.set(key, known);
    return known;
  }
}

/** An item that the picture has twice or lacks when the seam is in the rows from `from` to `to`. */
interface Affected {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly cost: number;
  readonly isLost: boolean;
}

class PairCost {
  readonly #join: Join;
  readonly #upper: number;
  readonly #lower: number;
  readonly #from: number;
  /** True where one is a stage, and the lower one begins where the upper one ends. */
  readonly #isNextStage: boolean;
  readonly #affected: readonly Affected[];
  readonly #itemCosts: Float64Array;
  readonly #cutCosts: Float64Array;

  constructor(join: Join, upper: number, lower: number) {
    const { windows, height } = join;
    [this.#join, this.#upper, this.#lower] = [join, upper, lower];
    this.#from = topOf(windows[lower]);
    const isStage = windows[upper]?.isStage || windows[lower]?.isStage;
    this.#isNextStage = isStage === true && endOf(windows[upper], height) === this.#from;
    const to = Math.min(endOf(windows[upper], height), endOf(windows[lower], height));
    const length = Math.max(1, to - this.#from + 1);
    this.#affected = this.#isNextStage ? [] : affectedItems(join, upper, lower);
    this.#itemCosts = sumOverRows(this.#affected, this.#from, length);
    const cuts = [...(windows[upper]?.items ?? []), ...(windows[lower]?.items ?? [])]
      .filter(({ kind, top, bottom }) => kind !== "box" || bottom - top <= BACKGROUND * height)
      .filter((item) => !isBackdrop(join, item, upper, lower))
      .map(({ kind, top, bottom }) => ({ from: top + 1, to: bottom, cost: CUT[kind] }));
    this.#cutCosts = sumOverRows(cuts, this.#from, length);
  }

  rows(row: number): { readonly agrees: boolean; readonly cost: number } {
    if (this.#isNextStage) return { agrees: true, cost: NEXT_STAGE + this.cut(row) };
    const { windows, height, difference } = this.#join;
    const end = endOf(windows[this.#upper], height);
    let [compared, largest] = [0, 0];
    for (let each = row - AGREEING_ROWS; each < row + AGREEING_ROWS; each++) {
      if (each < this.#from || each >= end) continue;
      compared++;
      largest = Math.max(largest, difference(this.#upper, this.#lower, each));
    }
    if (compared < AGREEING_ROWS) return { agrees: false, cost: APART };
    return largest <= SAME ? { agrees: true, cost: AGREE } : { agrees: false, cost: DIFFER + DIFFERENCE * largest };
  }

  cut(row: number): number {
    return Math.min(MAX_CUT, this.#cutCosts[row - this.#from] ?? 0);
  }

  items(row: number): number {
    return Math.min(MAX_ITEMS, this.#itemCosts[row - this.#from] ?? 0);
  }

  affected(row: number): Pick<Seam, "lost" | "twice"> {
    const affected = this.#affected.filter(({ from, to }) => row >= from && row < to);
    return {
      lost: affected.filter(({ isLost }) => isLost).map(({ id }) => id),
      twice: affected.filter(({ isLost }) => !isLost).map(({ id }) => id),
    };
  }
}

/** True for what fills both windows and moves with them, such as a canvas behind the page: each seam cuts it. */
function isBackdrop({ windows, height }: Join, { id, top, bottom }: JoinItem, upper: number, lower: number): boolean {
  if (bottom - top < TALL * height) return false;
  const shown = [upper, lower].map((each) => windows[each]?.items.find((item) => item.id === id)?.top);
  return shown.every((other) => other !== undefined) && shown.some((other) => Math.abs(other - top) > SAME_PLACE);
}

/** The sum of the costs at each of `length` rows from `first` on. */
function sumOverRows(
  ranges: readonly { readonly from: number; readonly to: number; readonly cost: number }[],
  first: number,
  length: number,
): Float64Array {
  const steps = new Float64Array(length + 1);
  for (const { from, to, cost } of ranges) {
    const [start, end] = [Math.max(0, from - first), Math.min(length, to - first)];
    if (start >= end) continue;
    steps[start] = (steps[start] ?? 0) + cost;
    steps[end] = (steps[end] ?? 0) - cost;
  }
  let sum = 0;
  return steps.subarray(0, length).map((step) => (sum += step));
}

/** Items that are elsewhere in the other window, and pinned ones that it does not show. */
function affectedItems({ windows, height }: Join, upper: number, lower: number): Affected[] {
  const [above, below] = [windows[upper]?.items ?? [], windows[lower]?.items ?? []];
  const isSmall = ({ top, bottom }: JoinItem) => bottom - top < TALL * height;
  const inLower = new Map(below.map((item) => [item.id, item]));
  const inUpper = new Set(above.map(({ id }) => id));
  const affected: Affected[] = [];
  const lose = ({ id }: JoinItem, from: number, to: number, cost: number) =>
    affected.push({ id, from, to, cost, isLost: true });
  for (const item of above.filter(isSmall)) {
    const other = inLower.get(item.id);
    if (!other) {
      if (item.isPinned)
        lose(item, Number.NEGATIVE_INFINITY, Math.min(item.bottom, endOf(windows[upper], height)), LOST_PINNED);
      continue;
    }
    if (Math.abs(item.top - other.top) <= SAME_PLACE) continue;
    if (item.bottom <= other.top)
      affected.push({ id: item.id, from: item.bottom, to: other.top + 1, cost: TWICE, isLost: false });
    if (other.top < item.bottom) lose(item, other.top + 1, item.bottom, LOST);
  }
  for (const item of below.filter((each) => each.isPinned && isSmall(each) && !inUpper.has(each.id)))
    lose(item, Math.max(item.top, topOf(windows[lower])) + 1, Number.POSITIVE_INFINITY, LOST_PINNED);
  return affected;
}
