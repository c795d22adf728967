// The keys of the tables: no two kinds of item share one, and their order is that of what they name.
import { expect, test } from "vitest";
import * as keys from "../../../lib/service/aws/table-keys.ts";

const ids = [0, 1, 9, 10, 12, 99, 123_456_789, Number.MAX_SAFE_INTEGER];

test("table keys: items of the Accounts table never share a key", () => {
  const names = ["1", "12", "ACCOUNT", "KEY#1", "SECRET"];
  const items = [
    ...ids.map(keys.accountKey),
    ...ids.flatMap((id) => ids.map((keyId) => keys.apiKeyKey(id, keyId))),
    ...names.flatMap((name) => [keys.callerKey(name), keys.secretKey(name)]),
  ];
  expectDistinct(items);
});

test("table keys: items of the Usage table never share a key", () => {
  const months = ["2026-01", "2026-11"];
  const dates = ["2026-01-01", "2026-01-11"];
  const shards = [0, 1, 11];
  const items = ids.flatMap((id) => [
    ...ids.map((limit) => keys.requestsKey(id, limit)),
    ...shards.map((shard) => keys.jobSlotsKey(id, shard)),
    keys.runningCapturesKey(id),
    ...dates.map((date) => keys.periodKey(id, `${date}T00:00:00.000Z`)),
    ...ids.flatMap((keyId) => months.flatMap((month) => shards.map((shard) => keys.monthKey(id, month, keyId, shard)))),
    ...ids.flatMap((keyId) =>
      dates.flatMap((date) =>
        ["01", "11"].flatMap((hour) => shards.map((shard) => keys.hourKey(id, date, keyId, hour, shard))),
      ),
    ),
  ]);
  expectDistinct(items);
});

test("table keys: each shard of the counters of all accounts is in a partition of its own, the first one in that of a time without shards", () => {
  const items = [...[0, 1, 11].map(keys.allRunningCapturesKey), keys.waitingBulksKey, keys.keylessCapturesKey];
  expect(new Set(items.map(({ pk }) => pk)).size).toBe(items.length);
  expect(items[0]).toEqual({ pk: "SLOTS#all", sk: "CAPTURES" });
});

test("table keys: an account with one shard has the keys of a time without shards", () => {
  expect(keys.monthKey(3, "2026-01", 7, 0)).toEqual({ pk: "MONTHS#3", sk: "2026-01#7" });
  expect(keys.hourKey(3, "2026-01-31", 7, "12", 0)).toEqual({ pk: "HOURS#3", sk: "2026-01-31#7#12" });
});

test("table keys: the item of an account is not among its API keys", () => {
  expect(ids.map((keyId) => keys.apiKeyKey(3, keyId).sk)).not.toContain(keys.accountKey(3).sk);
});

test.each([
  ["the logs of a month", (id: number) => keys.logKey(3, "2026-01", id)],
  ["the API keys of an account", (id: number) => keys.apiKeyKey(3, id)],
])("table keys: %s sort by id", (_, keyOf) => {
  const sorted = ids
    .map((id) => keyOf(id).sk)
    .toReversed()
    .sort();
  expect(sorted.map((sk) => Number(sk.replace("KEY#", "")))).toEqual(ids);
});

test("table keys: a log is in the partition of its account and month", () => {
  expect(keys.logKey(3, "2026-01", 5)).toEqual({ pk: keys.logPartition(3, "2026-01"), sk: "0000000000000005" });
});

test("table keys: AFTER_ALL sorts after digits, letters and #", () => {
  expect(["9", "Z", "z", "#"].every((text) => text < keys.AFTER_ALL)).toBe(true);
});

function expectDistinct(items: readonly { pk: string; sk: string }[]): void {
  const written = items.map(({ pk, sk }) => `${pk} ${sk}`);
  expect(new Set(written).size).toBe(written.length);
}
