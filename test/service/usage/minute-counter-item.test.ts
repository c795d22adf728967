// Minute counters in the items of hours, and a day divided into minutes.
import { describe, expect, test } from "vitest";
import { startOfDay } from "../../../lib/service/usage/day.ts";
import { minuteIncrements, minuteSpans, searchOrder } from "../../../lib/service/usage/minute-counter-item.ts";
import { aCaptureLog } from "../../support/builders.ts";

const start = startOfDay("2026-01-31");
const minute = (hour: number, minutes: number) => start + (hour * 60 + minutes) * 60_000;
const hourItem = (hour: string, counts: Readonly<Record<string, number>>, key = 7) => ({
  pk: "HOURS#3",
  sk: `2026-01-31#${key}#${hour}`,
  api_key_id: key,
  ttl: 1_800_000_000,
  ...counts,
});
const hours = { first: 0, last: 23 };
const day = { from: start, otherKeys: 0 };

test("hour counter: a success and a failure are counted in their minute", () => {
  expect(minuteIncrements("07", aCaptureLog({ status: "success" }))).toEqual({ s07: 1 });
  expect(minuteIncrements("59", aCaptureLog({ status: "failed" }))).toEqual({ f59: 1 });
});

describe("hour counter: a day is divided", () => {
  test("into the minutes with a match and the gaps between them, newest first", () => {
    const items = [hourItem("10", { s05: 2, f05: 1, f06: 4 }), hourItem("10", { s05: 1, s59: 1 }, 8)];
    expect(minuteSpans(day, items, { status: "success", hours })).toEqual([
      { from: minute(11, 0), to: minute(24, 0), matches: 0, others: 0 },
      { from: minute(10, 59), to: minute(11, 0), matches: 1, others: 0 },
      { from: minute(10, 6), to: minute(10, 59), matches: 0, others: 4 },
      { from: minute(10, 5), to: minute(10, 6), matches: 3, others: 1 },
      { from: minute(0, 0), to: minute(10, 5), matches: 0, others: 0 },
    ]);
  });

  test("from its first minute to its last", () => {
    const items = [hourItem("00", { s00: 1 }), hourItem("23", { f59: 1 })];
    expect(minuteSpans(day, items, { hours })).toEqual([
      { from: minute(23, 59), to: minute(24, 0), matches: 1, others: 0 },
      { from: minute(0, 1), to: minute(23, 59), matches: 0, others: 0 },
      { from: minute(0, 0), to: minute(0, 1), matches: 1, others: 0 },
    ]);
  });

  test("with the captures of other keys spread evenly over it", () => {
    const items = [hourItem("12", { s00: 1 })];
    const [after, match, before] = minuteSpans({ ...day, otherKeys: 1_440 }, items, { hours });
    expect(after?.others).toBeCloseTo(719, 6);
    expect(match).toMatchObject({ from: minute(12, 0), matches: 1, others: 1 });
    expect(before?.others).toBeCloseTo(720, 6);
  });
});

describe("hour counter: part of a day is divided", () => {
  test("from the first to the last minute of its hours", () => {
    const items = [hourItem("08", { s00: 1 }), hourItem("15", { f59: 1 })];
    expect(minuteSpans({ ...day, otherKeys: 0 }, items, { hours: { first: 8, last: 15 } })).toEqual([
      { from: minute(15, 59), to: minute(16, 0), matches: 1, others: 0 },
      { from: minute(8, 1), to: minute(15, 59), matches: 0, others: 0 },
      { from: minute(8, 0), to: minute(8, 1), matches: 1, others: 0 },
    ]);
  });
});

describe("hour counter: the hours of a day are searched", () => {
  const over = minute(24, 0) + 1;

  test.each([
    [
      "near its end",
      { isNewestFirst: true, share: 0.01, now: over },
      [
        [22, 23],
        [0, 21],
      ],
    ],
    [
      "before noon",
      { isNewestFirst: false, share: 0.4, now: over },
      [
        [0, 10],
        [11, 23],
      ],
    ],
    ["in all of it", { isNewestFirst: false, share: 1, now: over }, [[0, 23]]],
    [
      "near the end of what has passed of it",
      { isNewestFirst: true, share: 0.1, now: minute(15, 20) },
      [
        [13, 23],
        [0, 12],
      ],
    ],
    ["in its first hour", { isNewestFirst: true, share: 0.1, now: minute(0, 20) }, [[0, 23]]],
    [
      "when it has not started where the clock is read",
      { isNewestFirst: false, share: 0.1, now: start - 5 },
      [
        [0, 1],
        [2, 23],
      ],
    ],
  ])("%s", (_, where, expected) => {
    expect(searchOrder(day, where).map(({ first, last }) => [first, last])).toEqual(expected);
  });
});

test.each([hourItem("10", { s05: Number.NaN }), {}])("hour counter: %j is rejected as an item", (item) => {
  expect(() => minuteSpans(day, [item], { hours })).toThrow();
});
