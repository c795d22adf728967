// Retention and TTL of usage data.
import { describe, expect, test } from "vitest";
import { DAY_MS, lastDayOfMonth, startOfDay } from "../../../lib/service/usage/day.ts";
import { oldestShownDay, ttlSeconds } from "../../../lib/service/usage/retention.ts";

describe("retention: a capture", () => {
  test.each([
    [400, Date.UTC(2026, 1, 5), "2025-01-01"],
    [400, Date.UTC(2026, 1, 5, 23, 59, 59, 999), "2025-01-01"],
    [1, Date.UTC(2024, 2, 1), "2024-02-29"],
  ])("is shown for %d days after the end of its day: at %d the oldest are of %s", (days, now, oldest) => {
    expect(oldestShownDay(now, days)).toBe(oldest);
  });

  test.each([1, 30, 400])("with a retention of %d days is never deleted while it is shown, and soon after", (days) => {
    const day = "2026-01-31";
    let end = startOfDay(day);
    while (oldestShownDay(end, days) <= day) end += DAY_MS;
    const spare = ttlSeconds(day, days) * 1000 - end;
    expect(spare).toBe(2 * DAY_MS);
  });
});

test.each([
  ["2026-01", "2026-01-31"],
  ["2026-04", "2026-04-30"],
  ["2026-02", "2026-02-28"],
  ["2028-02", "2028-02-29"],
  ["2026-12", "2026-12-31"],
])("retention: the month %s ends on %s", (month, last) => {
  expect(lastDayOfMonth(month)).toBe(last);
});
