// Counters of days and the pages they locate, checked against lists that are simply sorted and sliced.
import { describe, expect, test } from "vitest";
import { countDays, type DayCounter, locatePage } from "../../lib/usage/day-counter.ts";
import { seededRandom } from "../support/builders.ts";

function aCounter(date: string, apiKeyId: number, parts: Partial<DayCounter> = {}): DayCounter {
  return { date, api_key_id: apiKeyId, success: 0, failed: 0, success_ms: 0, failed_ms: 0, ...parts };
}

interface Log {
  readonly date: string;
  readonly key: number;
  readonly status: "success" | "failed";
  readonly milliseconds: number;
}

/** Logs of some days, newest first. */
function randomLogs(random: () => number): Log[] {
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: below(120) }, () => ({
    date: new Date(Date.UTC(2025, 11, 25 + below(14))).toISOString().slice(0, 10),
    key: below(3),
    status: random() < 0.7 ? ("success" as const) : ("failed" as const),
    milliseconds: below(5_000),
  })).sort((a, b) => b.date.localeCompare(a.date));
}

/** The counters of logs, in no order. */
function countersOf(logs: readonly Log[], random: () => number): DayCounter[] {
  const counters = new Map<string, DayCounter>();
  for (const { date, key, status, milliseconds } of logs) {
    const counter = counters.get(`${date} ${key}`) ?? aCounter(date, key);
    counter[status] += 1;
    counter[`${status}_ms`] += milliseconds;
    counters.set(`${date} ${key}`, counter);
  }
  return [...counters.values()]
    .map((counter) => ({ counter, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ counter }) => counter);
}

const filters = [
  {},
  { status: "success" },
  { status: "failed" },
  { api_key_id: 1 },
  { api_key_id: 2, status: "failed" },
  { api_key_id: 99 },
] as const;

type Filter = { status?: Log["status"]; api_key_id?: number };
const lets =
  ({ status, api_key_id }: Filter) =>
  (log: Log) =>
    (status === undefined || log.status === status) && (api_key_id === undefined || log.key === api_key_id);

describe("the count of days", () => {
  test("adds the keys of a day up, newest day first", () => {
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

  test("has no day without a capture that the filter lets through", () => {
    const counters = [aCounter("2026-01-30", 1, { success: 2, success_ms: 100 })];
    expect([countDays(counters, { status: "failed" }), countDays(counters, { api_key_id: 2 })]).toEqual([[], []]);
  });

  test("takes 0 for the key it is", () => {
    const counters = [aCounter("2026-01-30", 0, { success: 1 }), aCounter("2026-01-30", 1, { success: 5 })];
    expect(countDays(counters, { api_key_id: 0 })).toEqual([
      { date: "2026-01-30", success: 1, failed: 0, milliseconds: 0 },
    ]);
  });

  test.each(filters)("is that of the logs with the filter %j", (filter) => {
    const random = seededRandom(11);
    for (let round = 0; round < 50; round++) {
      const logs = randomLogs(random);
      const wanted = logs.filter(lets(filter));
      const expected = [...new Set(wanted.map(({ date }) => date))].map((date) => {
        const ofDay = wanted.filter((log) => log.date === date);
        const success = ofDay.filter(({ status }) => status === "success").length;
        const milliseconds = ofDay.reduce((sum, log) => sum + log.milliseconds, 0);
        return { date, success, failed: ofDay.length - success, milliseconds };
      });
      expect(countDays(countersOf(logs, random), filter)).toEqual(expected);
    }
  });
});

describe("a page", () => {
  const days = [
    { date: "2026-01-31", success: 2, failed: 1, milliseconds: 0 },
    { date: "2026-01-29", success: 4, failed: 0, milliseconds: 0 },
  ];

  test.each([
    [1, 3, [{ date: "2026-01-31", skip: 0, take: 3 }]],
    [2, 3, [{ date: "2026-01-29", skip: 0, take: 3 }]],
    [3, 3, [{ date: "2026-01-29", skip: 3, take: 1 }]],
    [4, 3, []],
    [
      1,
      5,
      [
        { date: "2026-01-31", skip: 0, take: 3 },
        { date: "2026-01-29", skip: 0, take: 2 },
      ],
    ],
    [
      2,
      2,
      [
        { date: "2026-01-31", skip: 2, take: 1 },
        { date: "2026-01-29", skip: 0, take: 1 },
      ],
    ],
    [1_000_000_000, 100, []],
  ])("%d of %d logs is made of %j", (page, perPage, slices) => {
    expect(locatePage(days, { page, perPage })).toEqual({ total: 7, slices });
  });

  test("of nothing is empty", () => {
    expect(locatePage([], { page: 1, perPage: 25 })).toEqual({ total: 0, slices: [] });
  });

  test.each(filters)("is that of the sorted logs with the filter %j", (filter) => {
    const random = seededRandom(12);
    for (let round = 0; round < 40; round++) {
      const logs = randomLogs(random);
      const wanted = logs.filter(lets(filter));
      const counts = countDays(countersOf(logs, random), filter);
      const perPage = 1 + Math.floor(random() * 30);
      for (let page = 1; page <= Math.ceil(wanted.length / perPage) + 1; page++) {
        const { total, slices } = locatePage(counts, { page, perPage });
        const located = slices.flatMap(({ date, skip, take }) =>
          wanted.filter((log) => log.date === date).slice(skip, skip + take),
        );
        expect({ total, located }).toEqual({
          total: wanted.length,
          located: wanted.slice((page - 1) * perPage, page * perPage),
        });
      }
    }
  });
});
