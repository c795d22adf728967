// Usage statistics over a range of days.
import { describe, expect, test } from "vitest";
import { dayRange, statistics } from "../../../lib/service/usage/statistics.ts";

const count = (date: string, success: number, failed: number, milliseconds: number) => ({
  date,
  success,
  failed,
  milliseconds,
});

describe("statistics: the range", () => {
  test.each([
    [1, Date.UTC(2026, 2, 1), { from: "2026-03-01", to: "2026-03-01" }],
    [7, Date.UTC(2026, 2, 1, 23, 59, 59, 999), { from: "2026-02-23", to: "2026-03-01" }],
    [90, Date.UTC(2024, 2, 1), { from: "2023-12-03", to: "2024-03-01" }],
  ])("of %d days ends today", (days, now, range) => {
    expect(dayRange({ days }, now)).toEqual(range);
  });

  test("from `from` to `to` takes precedence over `days`", () => {
    const range = { from: "2025-01-01", to: "2025-01-31" };
    expect(dayRange({ days: 7, ...range }, Date.UTC(2026, 2, 1))).toEqual(range);
  });
});

describe("statistics: the series", () => {
  test("has every day, newest first, days without captures too", () => {
    const counts = [count("2026-03-01", 3, 1, 1_000), count("2026-02-27", 1, 0, 301)];
    expect(statistics(counts, { from: "2026-02-26", to: "2026-03-01" })).toEqual({
      series: [
        { date: "2026-03-01", success: 3, failed: 1, avg_ms: 250 },
        { date: "2026-02-28", success: 0, failed: 0, avg_ms: 0 },
        { date: "2026-02-27", success: 1, failed: 0, avg_ms: 301 },
        { date: "2026-02-26", success: 0, failed: 0, avg_ms: 0 },
      ],
      total: 5,
      total_success: 4,
      total_failed: 1,
      success_rate: 80,
      avg_response_ms: 260,
    });
  });

  test("without captures is all zeros", () => {
    expect(statistics([], { from: "2026-03-01", to: "2026-03-01" })).toEqual({
      series: [{ date: "2026-03-01", success: 0, failed: 0, avg_ms: 0 }],
      total: 0,
      total_success: 0,
      total_failed: 0,
      success_rate: 0,
      avg_response_ms: 0,
    });
  });

  test("of 90 days has 90 different days", () => {
    const { series } = statistics([], dayRange({ days: 90 }, Date.UTC(2026, 4, 1)));
    expect([new Set(series.map(({ date }) => date)).size, series[0]?.date, series.at(-1)?.date]).toEqual([
      90,
      "2026-05-01",
      "2026-02-01",
    ]);
  });

  test.each([
    [1, 2, 100, { success_rate: 33, avg_response_ms: 33 }],
    [2, 1, 101, { success_rate: 66, avg_response_ms: 34 }],
    [1, 1, 1, { success_rate: 50, avg_response_ms: 1 }],
    [1, 199, 0, { success_rate: 0, avg_response_ms: 0 }],
    [699, 3, 0, { success_rate: 99, avg_response_ms: 0 }],
    [0, 3, 10, { success_rate: 0, avg_response_ms: 3 }],
    [3, 0, 11, { success_rate: 100, avg_response_ms: 4 }],
  ])(
    "of %d successes, %d failures and %d ms is rounded to whole numbers, the rate down, so that 100 means all",
    (success, failed, ms, rounded) => {
      const day = "2026-03-01";
      const { series, ...sums } = statistics([count(day, success, failed, ms)], { from: day, to: day });
      expect({ ...sums, avg_ms: series[0]?.avg_ms }).toMatchObject({ ...rounded, avg_ms: rounded.avg_response_ms });
    },
  );

  test("weighs every capture the same, not every day", () => {
    const counts = [count("2026-03-02", 1, 0, 1_000), count("2026-03-01", 9, 0, 900)];
    expect(statistics(counts, { from: "2026-03-01", to: "2026-03-02" }).avg_response_ms).toBe(190);
  });
});
