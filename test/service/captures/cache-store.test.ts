// Cache entries in a real table: until exactly when they are found, and by which account.
import { afterAll, beforeAll, expect, test } from "vitest";
import { transact } from "../../../lib/service/aws/transaction.ts";
import {
  type CacheAddress,
  type CacheWrite,
  cacheWrite,
  findInCache,
  removeCached,
} from "../../../lib/service/captures/cache-store.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const NOW = Date.UTC(2026, 0, 31);
const address = (accountId: number, key = "a") => ({ accountId, key });
const find = (at: CacheAddress, now = NOW, toleratedSeconds = 0) =>
  findInCache(running.tables.activity, at, { now, toleratedSeconds });
const keep = (
  at: CacheAddress,
  text: string,
  { until = NOW + 60_000, staleUntil = until, resultKey = "1-day/a.png", isCounted = false }: Partial<CacheWrite> = {},
) => {
  const entry = { capture: { inline: text }, resultKey, isCounted, until, staleUntil };
  return transact([cacheWrite(running.tables.activity, at, entry)]);
};
const fresh = (text: string) => ({
  capture: { inline: text },
  isReferenceCounted: false,
  freshUntil: expect.any(Number),
  staleSince: undefined,
});

test("cache: nothing is found before it is cached", async () => {
  expect(await find(address(1))).toBeUndefined();
});

test("cache: an entry is found until its TTL ends, whether DynamoDB deleted it or not", async () => {
  await keep(address(2), "one");
  expect(await find(address(2), NOW + 59_999)).toEqual(fresh("one"));
  expect(await find(address(2), NOW + 60_000)).toBeUndefined();
});

test("cache: a newer entry replaces the older one, even with a shorter TTL", async () => {
  await keep(address(3), "one");
  await keep(address(3), "two", { until: NOW + 1_000 });
  expect(await find(address(3))).toEqual(fresh("two"));
  expect(await find(address(3), NOW + 1_000)).toBeUndefined();
});

test("cache: a stale entry is found during its stale TTL and the tolerated time", async () => {
  const [until, staleUntil] = [NOW + 1_000, NOW + 61_000];
  await keep(address(6), "one", { until, staleUntil });
  expect(await find(address(6), until - 1, 60)).toEqual(fresh("one"));
  const stale = { ...fresh("one"), freshUntil: until, staleSince: until };
  expect([await find(address(6), until, 60), await find(address(6), staleUntil - 1, 90)]).toEqual([stale, stale]);
  expect(await find(address(6), staleUntil, 90)).toBeUndefined();
  expect([await find(address(6), until + 9_999, 10), await find(address(6), until + 10_000, 10)]).toEqual([
    stale,
    undefined,
  ]);
  expect(await find(address(6), until)).toBeUndefined();
});

test("cache: an entry is found by its account and key only", async () => {
  await keep(address(4), "one");
  expect([await find(address(5)), await find(address(4, "b"))]).toEqual([undefined, undefined]);
});

test("cache: a result is removed, but not the one that replaced it", async () => {
  const remove = (key: string) => removeCached(running.tables.activity, address(7), key);
  await keep(address(7), "one", { resultKey: "1-day/one.png", isCounted: true });
  await keep(address(7), "two", { resultKey: "1-day/two.png", isCounted: true });
  await remove("1-day/one.png");
  expect(await find(address(7))).toEqual({ ...fresh("two"), isReferenceCounted: true });
  for (const _ of [1, 2]) await remove("1-day/two.png");
  expect(await find(address(7))).toBeUndefined();
  await keep(address(7), "three");
  await remove("1-day/two.png");
  expect(await find(address(7))).toEqual(fresh("three"));
});
