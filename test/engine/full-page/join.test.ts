// Joining windows into one picture: where the seams are.
import { describe, expect, test } from "vitest";
import type { ItemKind } from "../../../lib/engine/full-page/items.page.ts";
import { type Join, type JoinItem, joinWindows } from "../../../lib/engine/full-page/join.ts";

const HEIGHT = 100;

interface Shown {
  readonly id: string;
  readonly kind?: ItemKind;
  /** The first row of the picture and the one after the last. */
  readonly rows: readonly [number, number];
  readonly isPinned?: true;
}

const item = ({ id, kind = "text", rows: [top, bottom], isPinned = undefined }: Shown): JoinItem => ({
  id,
  kind,
  top,
  bottom,
  isPinned: isPinned ?? false,
});

/** Joins windows of 100 rows that begin at `tops`; rows in `differing` look different in each window. */
const join = (
  tops: readonly number[],
  shown: readonly (readonly Shown[])[] = [],
  differing: readonly (readonly [number, number])[] = [],
) => {
  const windows: Join["windows"] = tops.map((top, index) => ({ top, items: (shown[index] ?? []).map(item) }));
  const difference = (_upper: number, _lower: number, row: number) =>
    differing.some(([from, to]) => row >= from && row < to) ? 1 : 0;
  return joinWindows({ windows, height: HEIGHT, rows: (tops.at(-1) ?? 0) + HEIGHT, difference, scale: 1 });
};

describe("pieces", () => {
  test("a single window is the picture", () => {
    expect(join([0])).toEqual({ pieces: [{ window: 0, from: 0, to: 100 }], seams: [], missing: [] });
  });

  test("each row is shown once, by the window in whose middle it is", () => {
    const { pieces, seams } = join([0, 50, 100]);
    expect(pieces.map(({ from }) => from)).toEqual([0, ...pieces.slice(0, -1).map(({ to }) => to)]);
    expect(pieces.at(-1)?.to).toBe(200);
    expect(pieces.map(({ window }) => window)).toEqual([0, 1, 2]);
    expect(seams.map(({ row }) => row)).toEqual([75, 125]);
    expect(seams.every(({ agrees }) => agrees)).toBe(true);
  });
});

test("rows are shown by a window that has revealed what they have, even where it is not their middle", () => {
  const line: Shown = { id: "line", rows: [60, 70] };
  const { pieces } = join([0, 50], [[], [line]], [[0, 150]]);
  expect(pieces.find(({ to }) => to > 60)).toMatchObject({ window: 1 });
  const positiveControl = join([0, 50], [[line], [line]], [[0, 150]]);
  expect(positiveControl.pieces[0]).toMatchObject({ window: 0, to: 75 });
});

test("texts that a window showed are named where the picture lacks them, unless others have taken their place", () => {
  const shown: Shown = { id: "1 shown", rows: [80, 90] };
  const later: Shown = { id: "2 later", rows: [80, 90] };
  const blocks = [3, 4, 5].map((id): Shown => ({ id: `${id} block`, rows: [52, 120] }));
  const missingOf = (...items: Shown[][]) => join([0, 50], items, [[52, 150]]).missing.map(({ id }) => id);
  expect(missingOf([...blocks, shown], blocks)).toEqual(["1 shown"]);
  expect(missingOf([...blocks, shown], [...blocks, later])).toEqual([]);
  expect(missingOf([shown], [])).toEqual([]);
});

describe("seams", () => {
  test("are where windows agree", () => {
    const { seams } = join([0, 50], [], [[50, 90]]);
    expect(seams).toEqual([expect.objectContaining({ agrees: true })]);
    expect(seams[0]?.row).toBeGreaterThanOrEqual(92);
  });

  test("are between the lines of a text where windows agree nowhere", () => {
    const lines = [0, 1, 2, 3, 4].map((n): Shown => ({ id: `line ${n}`, rows: [50 + 10 * n, 58 + 10 * n] }));
    const { seams } = join([0, 50], [lines, lines], [[0, 150]]);
    const [row = 0] = seams.map((seam) => seam.row);
    expect(seams).toEqual([expect.objectContaining({ agrees: false, lost: [], twice: [] })]);
    expect(lines.filter(({ rows: [top, bottom] }) => row > top && row < bottom)).toEqual([]);
  });

  test("do not show an element twice that moves with the window", () => {
    const { pieces, seams } = join(
      [0, 50],
      [[{ id: "word", rows: [60, 70] }], [{ id: "word", rows: [110, 120] }]],
      [[60, 70]],
    );
    expect(seams).toEqual([expect.objectContaining({ lost: [], twice: [] })]);
    const [seam] = seams;
    expect(seam?.row).toBeLessThanOrEqual(60);
    expect(pieces).toHaveLength(2);
  });

  test("name what they show twice where it can't be avoided", () => {
    const moving = (row: number): Shown => ({ id: "word", rows: [row, row + 4] });
    const { seams } = join([0, 90], [[moving(40)], [moving(140)]]);
    expect(seams).toEqual([expect.objectContaining({ twice: ["word"], lost: [] })]);
  });

  test("keep what is pinned, even where windows differ elsewhere", () => {
    const foot: Shown = { id: "foot", rows: [80, 98], isPinned: true };
    const { seams } = join([0, 50], [[foot], []], [[98, 100]]);
    expect(seams[0]?.row).toBeGreaterThanOrEqual(98);
  });
});

test("stages of a scene that follow each other are shown whole, though other windows lie between them", () => {
  const windows = [0, 50, 100, 150, 200].map((top, n) => ({
    top,
    items: [item({ id: "word", rows: [top + 45, top + 55] })],
    isStage: n % 2 === 0,
  }));
  const { pieces, seams } = joinWindows({ windows, height: HEIGHT, rows: 300, difference: () => 1, scale: 1 });
  expect(pieces).toEqual([0, 2, 4].map((window) => ({ window, from: 50 * window, to: 50 * window + HEIGHT })));
  expect(seams.map(({ agrees, twice }) => ({ agrees, twice }))).toEqual(Array(2).fill({ agrees: true, twice: [] }));
});

test("a picture of 100,000 rows is joined within its windows", () => {
  const tops = Array.from({ length: 105 }, (_, n) => n * 950);
  const windows = tops.map((top) => ({ top, items: [] }));
  const { pieces } = joinWindows({ windows, height: 1_000, rows: 99_800, difference: () => 0, scale: 1 });
  for (const { window, from, to } of pieces) {
    expect(from).toBeGreaterThanOrEqual(tops[window] ?? 0);
    expect(to).toBeLessThanOrEqual((tops[window] ?? 0) + 1_000);
  }
});
