// The keys of the tables: no two kinds of item share one, and their order is that of what they name.
import { expect, test } from "vitest";
import * as keys from "../../lib/platform/table-keys.ts";

test("the items of the Accounts table never share a key", () => {
  const names = ["1", "12", "ACCOUNT", "KEY#1", "SECRET"];
  const items = [
    ...[1, 12].map((id) => keys.accountKey(id)),
    ...names.flatMap((name) => [keys.apiKeyKey(name), keys.secretKey(name)]),
  ];
  const written = items.map(({ pk, sk }) => `${pk} ${sk}`);
  expect([...new Set(written)]).toEqual(written);
});

test.each([
  ["2026-01-31", "2026-01-31", ["2026-01-31#0", "2026-01-31#9007199254740991"]],
  ["2026-01-01", "2026-01-30", ["2026-01-30#5"]],
  ["2026-02-01", "2026-02-28", []],
])("the counters from %s to %s are those of the days, both included", (from, to, found) => {
  const counters = [
    keys.dayCounterKey(3, "2026-01-30", 5),
    keys.dayCounterKey(3, "2026-01-31", 0),
    keys.dayCounterKey(3, "2026-01-31", Number.MAX_SAFE_INTEGER),
    keys.dayCounterKey(33, "2026-01-31", 1),
  ];
  const { pk, first, last } = keys.dayCounterRange(3, from, to);
  const within = counters.filter((key) => key.pk === pk && key.sk >= first && key.sk <= last);
  expect(within.map(({ sk }) => sk)).toEqual(found);
});

test("the logs of a day are in the order of their ids", () => {
  const ids = [0, 9, 10, 99, 123_456_789, Number.MAX_SAFE_INTEGER];
  const sorted = ids.map((id) => keys.logKey(3, "2026-01-31", id).sk).sort();
  expect(sorted.map(Number)).toEqual(ids);
});

test("a log is in the partition of its account and day", () => {
  expect(keys.logKey(3, "2026-01-31", 5)).toEqual({
    pk: keys.logPartition(3, "2026-01-31"),
    sk: "0000000000000005",
  });
});
