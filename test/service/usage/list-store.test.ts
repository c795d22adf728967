// The usage list and statistics on real tables, compared with plain sorted and sliced arrays.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import type { CaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { queryDayCounters } from "../../../lib/service/usage/counter-store.ts";
import { DAY_MS, startOfDay, utcDay } from "../../../lib/service/usage/day.ts";
import { countDays } from "../../../lib/service/usage/day-counter.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { statistics } from "../../../lib/service/usage/statistics.ts";
import { type ListOptions, parseListOptions, type UsageFilter } from "../../../lib/service/usage/usage-options.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { readsOf } from "../../fixtures/read-units.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { hourItems, logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { IS_SLOW_RUN, sampled, slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";
import { aCaptureAt, expectedList, NOW, randomCaptures, randomFilter } from "./random-captures.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

let accounts = 100;

/** Lists of a new account with these captures, which so many shards count. */
async function openLists(captures: readonly CaptureLog[], shards = 1) {
  const accountId = accounts++;
  const logs = captures.map((log) => ({ ...log, user_id: accountId }));
  await writeItems(running.tables.activity, logItems(logs));
  await writeItems(running.tables.usage, [...monthItems(logs, 400, shards), ...hourItems(logs, 400, shards)]);
  const viewAt = (now: number, retentionDays: number) => ({ ...running.tables, accountId, now, retentionDays });
  return {
    accountId,
    logs,
    list: (options: Partial<ListOptions>, { now = NOW, retentionDays = 400 } = {}) =>
      queryCaptures(viewAt(now, retentionDays), { page: 1, per_page: 25, ...options }),
    counts: async (filter: UsageFilter, { now = NOW, retentionDays = 400 } = {}) =>
      countDays(await queryDayCounters(viewAt(now, retentionDays), filter), filter),
  };
}

function pageOf(list: readonly CaptureLog[], page: number, perPage: number) {
  return { total: list.length, logs: list.slice((page - 1) * perPage, page * perPage) };
}

/** Random filters and pages for each set of captures. */
const ROUNDS = IS_SLOW_RUN ? 40 : 6;

describe("usage list: random captures", () => {
  sampled(test, 2).each<[string, number, { days: number; busy: number; shards?: number }]>([
    ["over two months", 1, { days: 70, busy: IS_SLOW_RUN ? 300 : 100 }],
    ["over 13 months, a few on each day", 2, { days: 399, busy: 20 }],
    ["over a week, many on each day", 3, { days: 7, busy: IS_SLOW_RUN ? 600 : 200 }],
    ["over a week, counted in 13 shards", 4, { days: 7, busy: 600, shards: 13 }],
  ])("%s: every page of every list, and all statistics, are right", async (_, seed, extent) => {
    const random = seededRandom(seed);
    const { list, counts, logs } = await openLists(randomCaptures(random, extent), extent.shards);
    for (let round = 0; round < ROUNDS; round++) {
      const filter = randomFilter(random, extent.days);
      const wanted = expectedList(logs, filter);
      const perPage = 1 + Math.floor(random() * 100);
      const page = 1 + Math.floor(random() * (wanted.length / perPage + 1));
      expect(await list({ ...filter, page, per_page: perPage })).toEqual(pageOf(wanted, page, perPage));
      const range = { from: filter.from ?? utcDay(NOW - 400 * DAY_MS), to: filter.to ?? utcDay(NOW) };
      const { total, total_failed, series } = statistics(await counts({ ...filter, ...range }), range);
      expect({ total, total_failed }).toEqual({
        total: wanted.length,
        total_failed: wanted.filter(({ status }) => status === "failed").length,
      });
      expect(series.map(({ success, failed }) => success + failed)).toEqual(
        series.map(({ date }) => wanted.filter(({ created_at }) => created_at.startsWith(date)).length),
      );
    }
  });

  test("page after page contain each capture once", async () => {
    const { list, logs } = await openLists(randomCaptures(seededRandom(4), { days: 40, busy: IS_SLOW_RUN ? 300 : 80 }));
    const all: CaptureLog[] = [];
    for (let page = 1; all.length < logs.length; page++) {
      const { logs: found } = await list({ page, per_page: 100 });
      if (found.length === 0) break;
      all.push(...found);
    }
    expect(all).toEqual(expectedList(logs, {}));
  });
});

test("usage list: a page can span many months of one capture each", async () => {
  const captures = Array.from({ length: 14 }, (_, month) => aCaptureAt(Date.UTC(2025, 1 + month, 1, 9)));
  const { list, logs } = await openLists(captures);
  expect(await list({})).toEqual(pageOf(expectedList(logs, {}), 1, 25));
});

test("usage list: 25 months of one capture each are one page, when the retention is that long", async () => {
  const captures = Array.from({ length: 25 }, (_, month) => aCaptureAt(Date.UTC(2025, 1 + month, 3)));
  const { list, logs } = await openLists(captures);
  const view = { now: Date.UTC(2027, 1, 20), retentionDays: 1_000 };
  expect(await list({}, view)).toEqual(pageOf(expectedList(logs, {}), 1, 25));
});

test("usage list: captures of one millisecond are ordered by their ids", async () => {
  const captures = Array.from({ length: 200 }, (_, index) => aCaptureAt(NOW - 5, {}, index / 4_096));
  const { list, logs } = await openLists(captures);
  for (const page of [1, 3, 8]) {
    expect(await list({ page })).toEqual(pageOf(expectedList(logs, {}), page, 25));
  }
});

test("usage list: the first and the last millisecond of a day, a minute and a month belong to them", async () => {
  const edges = [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 10), Date.UTC(2026, 1, 10, 5, 6)];
  const crowd = Array.from({ length: 60 }, (_, index) => Date.UTC(2026, 1, 10, 20) + index * 40_000);
  const captures = [...edges.flatMap((time) => [time - 1, time]), ...crowd].map((time) => aCaptureAt(time));
  const { list, logs } = await openLists(captures);
  const pages = Array.from({ length: 67 }, (_, index) => index + 1);
  for (const page of pages.filter((number) => IS_SLOW_RUN || number < 3 || number > 58)) {
    expect(await list({ page, per_page: 1 })).toEqual(pageOf(expectedList(logs, {}), page, 1));
  }
  const day = { from: "2026-02-10", to: "2026-02-10" };
  expect((await list({ ...day, per_page: 100 })).logs).toEqual(expectedList(logs, day));
});

test("usage list: an account without captures, and a page beyond the last, are empty", async () => {
  const { list } = await openLists([]);
  expect(await list({})).toEqual({ total: 0, logs: [] });
  const other = await openLists([aCaptureAt(NOW)]);
  expect(await other.list({ page: 1_000_000_000, per_page: 100 })).toEqual({ total: 1, logs: [] });
  expect(await other.list({ from: "2026-03-02" })).toEqual({ total: 0, logs: [] });
  expect(await other.list({ to: "0000-01-01" })).toEqual({ total: 0, logs: [] });
});

test("usage list: an account sees nothing of another whose id starts with the same digits", async () => {
  const { accountId } = await openLists([aCaptureAt(NOW)]);
  const view = { ...running.tables, accountId: accountId * 10, now: NOW, retentionDays: 400 };
  expect(await queryCaptures(view, { page: 1, per_page: 25 })).toEqual({ total: 0, logs: [] });
});

test("usage list: a key sees nothing of another whose id starts with the same digits", async () => {
  const captures = Array.from({ length: 160 }, (_, index) =>
    aCaptureAt(NOW - index * 60_000, { api_key_id: index % 2 ? 4 : 41 }),
  );
  const { list, logs } = await openLists(captures);
  expect(await list({ api_key_id: 4, page: 2 })).toEqual(pageOf(expectedList(logs, { api_key_id: 4 }), 2, 25));
});

describe("usage list: the retention", () => {
  const midnight = startOfDay("2026-02-10");
  const captures = [-1, 0, 1, 2, 3].flatMap((day) => [aCaptureAt(midnight + day * DAY_MS), aCaptureAt(midnight + day)]);

  test("hides older captures from lists, totals and statistics while they are still in the table", async () => {
    const { list, counts, logs } = await openLists([...new Map(captures.map((log) => [log.id, log])).values()]);
    for (const now of [midnight + 3 * DAY_MS, midnight + 4 * DAY_MS - 1, midnight + 4 * DAY_MS]) {
      const oldest = utcDay(now - 3 * DAY_MS);
      const shown = expectedList(logs, { from: oldest });
      const view = { now, retentionDays: 3 };
      expect(await list({}, view)).toEqual(pageOf(shown, 1, 25));
      expect(await list({ from: "2026-01-01", to: "2026-12-31" }, view)).toEqual(pageOf(shown, 1, 25));
      const shownDays = [...new Set(shown.map(({ created_at }) => created_at.slice(0, 10)))];
      expect((await counts({}, view)).map(({ date }) => date)).toEqual(shownDays);
      expect((await counts({ from: "2026-01-01" }, view)).map(({ date }) => date)).toEqual(shownDays);
    }
  });

  test("does not require the TTL of log entries to equal that of counters", async () => {
    const { list } = await openLists(captures.slice(0, 2));
    expect(await list({ to: "2026-02-08" })).toEqual({ total: 0, logs: [] });
    expect(await list({}, { now: midnight + 500 * DAY_MS })).toEqual({ total: 0, logs: [] });
  });
});

test("usage list: a capture is listed and counted as soon as it is recorded, on every page", async () => {
  const { accountId, list, counts } = await openLists([]);
  for (let recorded = 1; recorded <= (IS_SLOW_RUN ? 30 : 10); recorded++) {
    const { id, created_at: _, ...event } = aCaptureAt(NOW - recorded, { user_id: accountId });
    const recording = { preferredId: id, attempt: String(recorded), event };
    await recordCapture({ ...running.tables, retentionDays: 400 }, recording);
    const { total, logs } = await list({ page: recorded, per_page: 1 });
    expect({ total, ids: logs.map((log) => log.id) }).toEqual({ total: recorded, ids: [id] });
    expect(await counts({})).toMatchObject([{ success: recorded }]);
  }
});

test("usage list: pages are ordered and without repetition while new captures arrive", async () => {
  const start = Array.from({ length: 300 }, (_, index) => aCaptureAt(NOW - index * 7_000));
  const { accountId, list, logs } = await openLists(start);
  const record = async (index: number) => {
    const { id, created_at: _, ...event } = aCaptureAt(NOW + index, { user_id: accountId });
    const recording = { preferredId: id, attempt: String(index), event };
    await recordCapture({ ...running.tables, retentionDays: 400 }, recording);
  };
  const arriving = Promise.all(Array.from({ length: 60 }, (_, index) => record(index)));
  const pages = [];
  for (let page = 1; page <= 12; page++) pages.push(await list({ page }));
  await arriving;
  for (const { logs: page } of pages) {
    const ids = page.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
    expect(ids.length).toBe(25);
  }
  const after = await list({ page: 4, per_page: 90 });
  expect(after.total).toBe(360);
  expect(after.logs).toEqual(expectedList(logs, {}).slice(210, 300));
});

/** Runs a hook before the n-th query (from 1) that this process sends during an action. */
async function interrupted<T>(number: number, doBefore: () => Promise<void>, action: () => Promise<T>): Promise<T> {
  let queries = 0;
  const name = "interrupted";
  dynamodb().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === "QueryCommand" && ++queries === number) await doBefore();
        return next(args);
      },
    { step: "initialize", name },
  );
  try {
    return await action();
  } finally {
    dynamodb().middlewareStack.remove(name);
  }
}

describe("usage list: a capture that arrives while a page is read leaves no gap", () => {
  const today = startOfDay("2026-03-01");
  const some = (count: number, from: number, parts: Partial<CaptureLog> = {}) =>
    Array.from({ length: count }, (_, index) => aCaptureAt(from + index * 60_000, parts));

  test.each([
    ["where the page is of two months", [...some(30, today), ...some(60, today - DAY_MS)], {}, 2],
    ["where it begins deep in the day", [...some(212, today), ...some(60, today - DAY_MS)], {}, 11],
    [
      "where it has a filter",
      [
        ...some(70, today + 9),
        ...some(52, today, { status: "failed" }),
        ...some(60, today - DAY_MS, { status: "failed" }),
      ],
      { status: "failed" },
      3,
    ],
  ] as const)("%s", async (_, captures, filter, page) => {
    for (const query of [2, 3]) {
      const { accountId, list, logs } = await openLists(captures);
      const arriving = aCaptureAt(NOW, { user_id: accountId, status: "status" in filter ? filter.status : "success" });
      const { id, created_at: __, ...event } = arriving;
      const record = async () => {
        await recordCapture({ ...running.tables, retentionDays: 400 }, { preferredId: id, attempt: "a", event });
      };
      const { logs: found } = await interrupted(query, record, () => list({ ...filter, page, per_page: 20 }));
      const all = expectedList([...logs, arriving], filter);
      const place = all.findIndex((log) => log.id === found[0]?.id);
      expect(found).toEqual(all.slice(place, place + 20));
      expect([(page - 1) * 20, (page - 1) * 20 + 1]).toContain(place);
      expect((await list({ ...filter, page: 1, per_page: 1 })).logs).toEqual([arriving]);
    }
  });
});

describe("usage list: the number of reads", () => {
  /** Creates captures at even intervals over some days. */
  const captures = (count: number, days: number) =>
    Array.from({ length: count }, (_, index) =>
      aCaptureAt(startOfDay("2026-02-28") + DAY_MS - 1 - Math.floor((index * days * DAY_MS) / count), {
        status: index % 100 === 50 ? "failed" : "success",
      }),
    );
  const MANY = IS_SLOW_RUN ? 5_000 : 2_600;
  const LAST_PAGE = MANY / 25;
  /** Many captures over some days, written once for the tests that only read them. */
  const written = new Map<number, ReturnType<typeof openLists>>();
  const manyOver = (days: number) => {
    const lists = written.get(days) ?? openLists(captures(MANY, days));
    written.set(days, lists);
    return lists;
  };
  const reads = async (lists: Awaited<ReturnType<typeof openLists>>, options: Partial<ListOptions>) =>
    (await readsOf(() => lists.list(options))).reads;

  test("for a page near the start of a day is the month counters and its log entries", async () => {
    const lists = await openLists(captures(300, 1));
    expect((await reads(lists, { page: 1 })).queries).toBe(2);
    expect((await reads(lists, { page: 3 })).queries).toBe(2);
  });

  test("for captures on many days of a month is one query besides the counters", async () => {
    expect((await reads(await openLists(captures(25, 25)), {})).queries).toBe(2);
  });

  slowTest.each([
    ["over 30 days", 30, 1.5],
    ["on one day", 1, 5],
  ])("for the last page is little more than for the first, with thousands of captures %s", async (_, days, most) => {
    const lists = await manyOver(days);
    const first = await reads(lists, { page: 1 });
    const last = await reads(lists, { page: LAST_PAGE });
    expect(last.units).toBeLessThanOrEqual(first.units * most);
    expect(last.queries).toBeLessThanOrEqual(3);
  });

  test("near either end of a busy day is not all of its hours", async () => {
    const lists = await manyOver(1);
    const first = await reads(lists, { page: 1 });
    for (const page of [5, LAST_PAGE])
      expect((await reads(lists, { page })).units).toBeLessThanOrEqual(first.units + 2);
  });

  test("is small when nearly all captures of a day came within one hour", async () => {
    const nine = startOfDay("2026-02-28") + 9 * 3_600_000;
    const count = IS_SLOW_RUN ? 2_000 : 1_000;
    const crowd = Array.from({ length: count }, (_, index) => aCaptureAt(nine + (index * 3_600_000) / count));
    const lists = await openLists(crowd);
    for (const page of [4, 0.5 * (count / 25), count / 25 - 3])
      expect((await reads(lists, { page })).units).toBeLessThanOrEqual(15);
  });

  test("for a filter that matches one of a hundred is small, on every page", async () => {
    const lists = await manyOver(30);
    const whole = MANY / 7; // log entries per read unit
    for (const page of [1, 2]) expect((await reads(lists, { status: "failed", page })).units).toBeLessThan(whole / 3);
  });

  test("for statistics over 90 days is one query", async () => {
    const { counts } = await openLists(captures(200, 89));
    const { reads } = await readsOf(() => counts({ from: utcDay(NOW - 89 * DAY_MS), to: utcDay(NOW) }));
    expect(reads).toMatchObject({ queries: 1 });
    expect(reads.units).toBeLessThanOrEqual(2);
  });
});

test("usage list: every list that can be requested can be read", async () => {
  const { list, logs } = await openLists([aCaptureAt(NOW)]);
  const everything = { status: "success", api_key_id: "0", from: "2026-03-01", to: "2026-03-01", per_page: "1" };
  expect(await list(parseListOptions(everything))).toEqual({ total: 1, logs });
});
