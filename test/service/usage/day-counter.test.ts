// Counters of days, checked against lists that are simply filtered.
import { describe, expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../../lib/service/usage/day.ts";
import { countDays, type DayCounter, daySpans } from "../../../lib/service/usage/day-counter.ts";
import { readDayCounters } from "../../../lib/service/usage/day-counter-item.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { monthItems } from "../../fixtures/usage-items.ts";
import { expectedList, KEYS, randomCaptures } from "./random-captures.ts";

function aCounter(date: string, apiKeyId: number, parts: Partial<DayCounter> = {}): DayCounter {
  return { date, api_key_id: apiKeyId, success: 0, failed: 0, success_ms: 0, failed_ms: 0, ...parts };
}

const filters = [
  {},
  { status: "success" },
  { status: "failed" },
  { api_key_id: KEYS[1] },
  { api_key_id: KEYS[2], status: "failed" },
  { api_key_id: 99 },
] as const;

describe("day counter: countDays", () => {
  test("adds up the keys of a day, newest day first", () => {
    const counters = [
      aCounter("2026-01-30", 1, { success: 2, success_ms: 100 }),
      aCounter("2026-01-31", 1, { success: 1, failed: 1, success_ms: 50, failed_ms: 7 }),
      aCounter("2026-01-30", 2, { failed: 3, failed_ms: 30 }),
    ];
    expect(countDays(counters, {})).toEqual([
      { date: "2026-01-31", success: 1, failed: 1, milliseconds: 57 },
      { date: "2026-01-30", success: 2, failed: 3, milliseconds: 130 },
    ]);
  });

  test("omits days without a matching capture", () => {
    const counters = [aCounter("2026-01-30", 1, { success: 2, success_ms: 100 })];
    expect([countDays(counters, { status: "failed" }), countDays(counters, { api_key_id: 2 })]).toEqual([[], []]);
  });

  test("accepts 0 as a key id", () => {
    const counters = [aCounter("2026-01-30", 0, { success: 1 }), aCounter("2026-01-30", 1, { success: 5 })];
    expect(countDays(counters, { api_key_id: 0 })).toEqual([
      { date: "2026-01-30", success: 1, failed: 0, milliseconds: 0 },
    ]);
  });

  test.each(filters)("counts captures that match the filter %j", (filter) => {
    const random = seededRandom(11);
    for (let round = 0; round < 20; round++) {
      const captures = randomCaptures(random, { days: 60, busy: 30 });
      const wanted = expectedList(captures, filter);
      const expected = [...new Set(wanted.map(dateOf))].map((date) => {
        const ofDay = wanted.filter((log) => dateOf(log) === date);
        const success = ofDay.filter(({ status }) => status === "success").length;
        const milliseconds = ofDay.reduce((sum, log) => sum + log.response_time_ms, 0);
        return { date, success, failed: ofDay.length - success, milliseconds };
      });
      expect(countDays(monthItems(captures).flatMap(readDayCounters), filter)).toEqual(expected);
    }
  });
});

const dateOf = ({ created_at }: { created_at: string }) => created_at.slice(0, 10);

describe("day counter: daySpans", () => {
  test("contain matching and other captures, also for days without a match", () => {
    const counters = [
      aCounter("2026-01-30", 1, { success: 2, failed: 1 }),
      aCounter("2026-01-31", 1, { success: 4 }),
      aCounter("2026-01-31", 2, { success: 1, failed: 3 }),
    ];
    const span = (date: string, matches: number, others: number, keys: number[], otherKeys: number) => {
      return { from: startOfDay(date), to: startOfDay(date) + DAY_MS, matches, others, keys, otherKeys };
    };
    expect(daySpans(counters, {})).toEqual([span("2026-01-31", 8, 0, [1, 2], 0), span("2026-01-30", 3, 0, [1], 0)]);
    expect(daySpans(counters, { status: "failed" })).toEqual([
      span("2026-01-31", 3, 5, [2], 4),
      span("2026-01-30", 1, 2, [1], 0),
    ]);
    expect(daySpans(counters, { api_key_id: 2 })).toEqual([
      span("2026-01-31", 4, 4, [2], 4),
      span("2026-01-30", 0, 3, [], 3),
    ]);
  });
});
