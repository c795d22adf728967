// Time spans and the part of a page in each.
import { describe, expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../../lib/service/usage/day.ts";
import { countUnneededReads, type SpanSlice, slicePerSpan, toReadRanges } from "../../../lib/service/usage/span.ts";

const aDay = (date: string, matches: number, others = 0) => {
  return { from: startOfDay(date), to: startOfDay(date) + DAY_MS, matches, others };
};
const aShare = (date: string, { skip = 0, take = 0, matches = skip + take, others = 0 }: Partial<SpanSlice>) => {
  return { ...aDay(date, matches, others), skip, take };
};
const aStretch = (from: string, to: string, portion: { skip: number; take: number }) => {
  return { from: startOfDay(from), to: startOfDay(to) + DAY_MS, ...portion };
};

describe("page slices: each span's part of a page", () => {
  const days = [aDay("2026-01-31", 3), aDay("2026-01-30", 0, 5), aDay("2026-01-29", 4)];

  test.each([
    [
      { skip: 0, take: 3 },
      [
        [0, 3],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      { skip: 0, take: 5 },
      [
        [0, 3],
        [0, 0],
        [0, 2],
      ],
    ],
    [
      { skip: 2, take: 2 },
      [
        [2, 1],
        [0, 0],
        [0, 1],
      ],
    ],
    [
      { skip: 6, take: 3 },
      [
        [3, 0],
        [0, 0],
        [3, 1],
      ],
    ],
    [
      { skip: 7, take: 3 },
      [
        [3, 0],
        [0, 0],
        [4, 0],
      ],
    ],
    [
      { skip: 99_999_999_900, take: 100 },
      [
        [3, 0],
        [0, 0],
        [4, 0],
      ],
    ],
  ])("with %j", (portion, expected) => {
    expect(slicePerSpan(days, portion).map(({ skip, take }) => [skip, take])).toEqual(expected);
  });

  test("of nothing is empty", () => {
    expect(slicePerSpan([], { skip: 0, take: 25 })).toEqual([]);
  });
});

describe("page ranges: a read", () => {
  test("covers all of a month when only matches lie between", () => {
    const shares = [
      aShare("2026-01-31", { skip: 2, take: 3 }),
      aShare("2026-01-15", { take: 4 }),
      aShare("2026-01-01", { take: 1, matches: 9 }),
    ];
    expect(toReadRanges(shares)).toEqual([aStretch("2026-01-01", "2026-01-31", { skip: 2, take: 8 })]);
  });

  test("covers one month only", () => {
    const shares = [aShare("2026-02-01", { take: 3 }), aShare("2026-01-31", { take: 4 })];
    expect(toReadRanges(shares)).toEqual([
      aStretch("2026-02-01", "2026-02-01", { skip: 0, take: 3 }),
      aStretch("2026-01-31", "2026-01-31", { skip: 0, take: 4 }),
    ]);
  });

  test("starts and ends at captures of the page", () => {
    const shares = [
      aShare("2026-01-04", { skip: 6, matches: 6 }),
      aShare("2026-01-03", { others: 1 }),
      aShare("2026-01-02", { take: 4 }),
      aShare("2026-01-01", { matches: 3 }),
    ];
    expect(toReadRanges(shares)).toEqual([aStretch("2026-01-02", "2026-01-02", { skip: 0, take: 4 })]);
  });

  test("skips other captures when there are many", () => {
    const shares = [
      aShare("2026-01-05", { take: 1 }),
      aShare("2026-01-04", { others: 500 }),
      aShare("2026-01-03", { take: 1 }),
      aShare("2026-01-02", { others: 1 }),
      aShare("2026-01-01", { take: 1 }),
    ];
    expect(toReadRanges(shares)).toEqual([
      aStretch("2026-01-05", "2026-01-05", { skip: 0, take: 1 }),
      aStretch("2026-01-01", "2026-01-03", { skip: 0, take: 2 }),
    ]);
  });

  test("is empty for a page beyond the last", () => {
    expect(toReadRanges([aShare("2026-01-05", { skip: 9, matches: 9 })])).toEqual([]);
  });
});

describe("page ranges: the number of unneeded reads", () => {
  const day = aShare("2026-01-05", { skip: 10, take: 5, matches: 100, others: 30 });

  test("is what is skipped, in an unfiltered list", () => {
    expect(countUnneededReads(day, false)).toBe(10);
  });

  test("is everything but the page, in a filtered list", () => {
    expect(countUnneededReads(day, true)).toBe(125);
  });
});
