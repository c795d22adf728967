// Places panes that scroll side by side or below each other, and what is around them, in the picture that shows each of them whole.
// Knows nothing of pages: boxes and rows alone.
import type { PixelBox } from "./compare.ts";

/** A pane in the window, in image pixels, and the rows by which its content is taller than it. */
export interface GrowingBox extends PixelBox {
  readonly growth: number;
}

/** Rows of the picture that are not in a pane. */
export interface Surrounding {
  readonly x: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
  /** The row of the window that is the first one; or the only one, which is repeated. */
  readonly sourceRow: number;
  readonly isRepeated?: true;
  /** The number of the pane whose background is there instead. */
  readonly filledLike?: number;
}

export interface PaneLayout {
  /** By how many rows each pane moves down, because of those above it. */
  readonly shifts: readonly number[];
  /** By how many rows the picture is taller than the window. */
  readonly growth: number;
  readonly around: readonly Surrounding[];
}

interface WindowRows {
  readonly width: number;
  readonly height: number;
  /** The row below which a part of the window is stretched that no pane is in. */
  readonly stretchRow?: (part: Part, rows: { readonly from: number; readonly end: number }) => number;
}

/** Panes that overlap by fewer rows or columns only touch. */
const TOUCHING = 2;

/** Panes that share rows of the window: what is below them moves down by as much as the tallest of them needs. */
interface Group {
  readonly members: readonly number[];
  /** The first row below all of them, in the window. */
  readonly end: number;
  /** By how many rows the content next to and below them moves down. */
  readonly before: number;
  readonly after: number;
}

export function layOutPanes(boxes: readonly GrowingBox[], window: WindowRows): PaneLayout {
  const shifts = new Array<number>(boxes.length).fill(0);
  const groups: Group[] = [];
  for (const members of groupByRows(boxes)) {
    const before = groups.at(-1)?.after ?? 0;
    let after = before;
    for (const [at, index] of members.entries()) {
      const box = boxes[index] as GrowingBox;
      const above = members.slice(0, at).filter((other) => isAbove(boxes[other] as GrowingBox, box));
      const shift = Math.max(before, ...above.map((other) => (shifts[other] ?? 0) + (boxes[other]?.growth ?? 0)));
      shifts[index] = shift;
      after = Math.max(after, shift + box.growth);
    }
    const end = Math.max(...members.map((index) => (boxes[index]?.y ?? 0) + (boxes[index]?.height ?? 0)));
    groups.push({ members, end, before, after });
  }
  const around = verticalParts(boxes, window.width).flatMap((part) =>
    surround(part, { boxes, shifts, groups, window }),
  );
  return { shifts, growth: groups.at(-1)?.after ?? 0, around };
}

/** The numbers of the boxes, from top to bottom; those that share rows together. */
function groupByRows(boxes: readonly GrowingBox[]): number[][] {
  const sorted = [...boxes.keys()].sort((one, other) => (boxes[one]?.y ?? 0) - (boxes[other]?.y ?? 0));
  const groups: number[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const index of sorted) {
    const { y, height } = boxes[index] as GrowingBox;
    if (y < end - TOUCHING) groups.at(-1)?.push(index);
    else groups.push([index]);
    end = Math.max(end, y + height);
  }
  return groups;
}

function isAbove(upper: PixelBox, lower: PixelBox): boolean {
  const sharesColumns = upper.x < lower.x + lower.width - TOUCHING && lower.x < upper.x + upper.width - TOUCHING;
  return sharesColumns && upper.y + upper.height <= lower.y + TOUCHING;
}

type Part = Pick<PixelBox, "x" | "width">;

/** The window, divided where a pane begins or ends. */
function verticalParts(boxes: readonly PixelBox[], width: number): Part[] {
  const edges = [0, width, ...boxes.flatMap((box) => [box.x, box.x + box.width])];
  const sorted = [...new Set(edges)].filter((x) => x >= 0 && x <= width).sort((one, other) => one - other);
  return sorted.slice(1).map((right, index) => ({ x: sorted[index] ?? 0, width: right - (sorted[index] ?? 0) }));
}

interface Surroundings {
  readonly boxes: readonly GrowingBox[];
  readonly shifts: readonly number[];
  readonly groups: readonly Group[];
  readonly window: WindowRows;
}

/** What is above, between and below the panes in a vertical part of the window. */
function surround(part: Part, { boxes, shifts, groups, window }: Surroundings): Surrounding[] {
  const around: Surrounding[] = [];
  const add = (rows: Omit<Surrounding, "x" | "width">) => {
    if (rows.from < rows.to) around.push({ ...part, ...rows });
  };
  let source = 0;
  let picture = 0;
  /** Shows the window up to a row of it, which is at `row + shift` in the picture; what is free above goes on like what is there. */
  const showTo = (row: number, shift: number, filledLike: number | undefined) => {
    const free = { from: picture, to: source + shift };
    if (filledLike !== undefined) add({ ...free, sourceRow: 0, filledLike });
    else add({ ...free, sourceRow: Math.max(0, source - 1), isRepeated: true });
    add({ from: source + shift, to: row + shift, sourceRow: source });
    [source, picture] = [Math.max(source, row), Math.max(source, row) + shift];
  };
  for (const { members, end, before, after } of groups) {
    let last: number | undefined;
    for (const index of members) {
      const box = boxes[index] as GrowingBox;
      if (box.x > part.x || box.x + box.width < part.x + part.width) continue;
      showTo(box.y, shifts[index] ?? 0, last);
      source = box.y + box.height;
      picture = source + (shifts[index] ?? 0) + box.growth;
      last = index;
    }
    if (last === undefined) showTo(window.stretchRow?.(part, { from: source, end }) ?? end, before, undefined);
    showTo(end, after, last);
  }
  showTo(window.height, groups.at(-1)?.after ?? 0, undefined);
  return around;
}
