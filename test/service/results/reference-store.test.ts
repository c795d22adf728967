// Reference counting of a cached result on a real table: the last reference is removed once, despite concurrent
// changes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { transact } from "../../../lib/service/aws/transaction.ts";
import { addReference, referenceWrites, removeReference } from "../../../lib/service/results/reference-store.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const NOW = Date.UTC(2026, 0, 31);
const FACTS = "1-day/one.facts";
let results = 0;

/** A result of an account, made by job 1. */
async function aResult() {
  const table = running.tables.activity;
  const result = { accountId: 3, key: `1-day/${results++}.png` };
  const first = { referrer: 1, cachedFacts: FACTS, expiresAt: NOW };
  await transact([referenceWrites(table, result, first)]);
  return {
    add: (referrer: number | "link") => addReference(table, result, referrer),
    remove: (referrer: number) => removeReference(table, result, referrer),
  };
}
const last = { cachedFacts: FACTS };

test("reference counting: a result is deleted with its last reference, and again when removal is repeated", async () => {
  const { add, remove } = await aResult();
  expect([await add(2), await add(2), await add(3)]).toEqual([true, true, true]);
  expect([await remove(1), await remove(1), await remove(2)]).toEqual([undefined, undefined, undefined]);
  expect([await remove(3), await remove(3), await remove(1)]).toEqual([last, last, last]);
});

test("reference counting: no reference can be added to a result that is being deleted", async () => {
  const { add, remove } = await aResult();
  expect([await remove(1), await add(2), await add("link")]).toEqual([last, false, false]);
});

test("reference counting: a link in a response is never removed", async () => {
  const { add, remove } = await aResult();
  expect([await add("link"), await remove(1), await add(2), await remove(2)]).toEqual([
    true,
    undefined,
    true,
    undefined,
  ]);
});

test("reference counting: a result without a count is not deleted", async () => {
  const result = { accountId: 3, key: "1-day/synchronous.png" };
  expect(await removeReference(running.tables.activity, result, 1)).toBeUndefined();
});

test("reference counting: of concurrent jobs, either all find the result deleted or one keeps it", async () => {
  for (let round = 0; round < 10; round++) {
    const { add, remove } = await aResult();
    await add(2);
    const [first, second, isAdded] = await Promise.all([remove(1), remove(2), add(3)]);
    const isDeleted = first !== undefined || second !== undefined;
    expect(isAdded).toBe(!isDeleted);
    if (isAdded) expect(await remove(3)).toEqual(last);
  }
});
