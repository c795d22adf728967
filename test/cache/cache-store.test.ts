// What is cached, on a real table: until exactly when, and for whom.
import { afterAll, beforeAll, expect, test } from "vitest";
import { caching, findCached } from "../../lib/cache/cache-store.ts";
import { transact } from "../../lib/platform/transaction.ts";
import { type RunningTables, startTables } from "../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const NOW = Date.UTC(2026, 0, 31);
const address = (accountId: number, hash = "a") => ({ accountId, hash });
const find = (at: Parameters<typeof findCached>[1], now = NOW) => findCached(running.tables.activity, at, now);
const keep = (at: Parameters<typeof findCached>[1], text: string, until = NOW + 60_000) =>
  transact([caching(running.tables.activity, at, { capture: { inline: text }, until })]);

test("nothing is found that was not cached", async () => {
  expect(await find(address(1))).toBeUndefined();
});

test("what is cached is found until its time is over, swept or not", async () => {
  await keep(address(2), "one");
  expect(await find(address(2), NOW + 59_999)).toEqual({ inline: "one" });
  expect(await find(address(2), NOW + 60_000)).toBeUndefined();
});

test("what is cached later takes its place, even for a shorter time", async () => {
  await keep(address(3), "one");
  await keep(address(3), "two", NOW + 1_000);
  expect(await find(address(3))).toEqual({ inline: "two" });
  expect(await find(address(3), NOW + 1_000)).toBeUndefined();
});

test("no account finds what another one has, and no hash what is under another", async () => {
  await keep(address(4), "one");
  expect([await find(address(5)), await find(address(4, "b"))]).toEqual([undefined, undefined]);
});
