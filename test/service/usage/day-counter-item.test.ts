// Day counters in the items of months.
import { expect, test } from "vitest";
import { dayIncrements, readDayCounters } from "../../../lib/service/usage/day-counter-item.ts";
import { aCaptureLog } from "../../support/builders.ts";

test("month counter: a success and a failure are counted on their day, each with its time", () => {
  expect(dayIncrements("05", aCaptureLog({ status: "success", response_time_ms: 120 }))).toEqual({ s05: 1, st05: 120 });
  expect(dayIncrements("31", aCaptureLog({ status: "failed", response_time_ms: 30_000 }))).toEqual({
    f31: 1,
    ft31: 30_000,
  });
});

const key = { pk: "MONTHS#3", sk: "2026-01#7", api_key_id: 7, ttl: 1_800_000_000 };
const nothing = { success: 0, failed: 0, success_ms: 0, failed_ms: 0 };

test("month counter: the days of a month are those with a capture, oldest first", () => {
  const item = { ...key, s31: 2, st31: 300, f01: 1, ft01: 0, s02: 1, st02: 5, f02: 3, ft02: 70 };
  expect(readDayCounters(item)).toEqual([
    { ...nothing, date: "2026-01-01", api_key_id: 7, failed: 1 },
    { date: "2026-01-02", api_key_id: 7, success: 1, failed: 3, success_ms: 5, failed_ms: 70 },
    { ...nothing, date: "2026-01-31", api_key_id: 7, success: 2, success_ms: 300 },
  ]);
});

test("month counter: a month without captures has no days", () => {
  expect(readDayCounters(key)).toEqual([]);
});

test.each([{ ...key, s01: "2" }, { ...key, api_key_id: undefined }, {}])(
  "month counter: %j is rejected as an item",
  (item) => {
    expect(() => readDayCounters(item)).toThrow();
  },
);
