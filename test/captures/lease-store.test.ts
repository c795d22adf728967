// Whose turn it is, on a real table: one of many has it, the others learn how it ended.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaseKey } from "../../lib/aws/table-keys.ts";
import { transact } from "../../lib/aws/transaction.ts";
import {
  acquireLease,
  completeLease,
  heartbeat,
  LEASE_MS,
  type Lease,
  readLeaseState,
  releaseLease,
  releaseUpdate,
  waitForRelease,
} from "../../lib/captures/lease-store.ts";
import { type RunningTables, startTables } from "../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

/** Holders of one work that nobody has had so far. */
function holders(count: number): Lease[] {
  const key = leaseKey(3, randomUUID());
  return Array.from({ length: count }, (_, index) => ({
    table: running.tables.activity,
    key,
    holder: `holder-${index}`,
  }));
}

const pair = () => holders(2) as [Lease, Lease];
const SOON = () => performance.now() + 10_000;
const NOW = Date.UTC(2026, 0, 31);

describe("work is taken", () => {
  test("by one of many at once, and the others learn by whom", async () => {
    const claims = await Promise.all(holders(20).map((each) => acquireLease(each, { now: Date.now(), tag: "a" })));
    const taken = claims.flatMap((standing, index) => (standing ? [] : [`holder-${index}`]));
    expect(taken).toHaveLength(1);
    const others = claims.filter((standing) => standing !== undefined);
    expect(others).toHaveLength(19);
    for (const standing of others) expect(standing).toMatchObject({ holder: taken[0], tag: "a" });
  });

  test("again once its holder is not heard of any more, and not a moment before", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    expect(await acquireLease(second, { now: NOW + LEASE_MS - 1 })).toMatchObject({ holder: first.holder });
    expect(await acquireLease(second, { now: NOW + LEASE_MS })).toBeUndefined();
    expect(await readLeaseState(first)).toMatchObject({ holder: second.holder, until: NOW + 2 * LEASE_MS });
  });

  test("for as long as is asked for", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW, leaseMs: 60_000 });
    expect(await acquireLease(second, { now: NOW + 59_999 })).toMatchObject({ holder: first.holder });
    expect(await acquireLease(second, { now: NOW + 60_000 })).toBeUndefined();
  });

  test("once, when the answer to that is lost and it is asked for again", async () => {
    const [first, second] = pair();
    const twice = [await acquireLease(first, { now: NOW }), await acquireLease(first, { now: NOW })];
    expect(twice).toEqual([undefined, undefined]);
    expect(await acquireLease(second, { now: NOW })).toMatchObject({ holder: first.holder });
  });

  test("again as soon as it was given up", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() });
    await releaseLease(first);
    expect(await acquireLease(second, { now: Date.now() })).toBeUndefined();
  });

  test("again once its outcome has expired, and not a moment before", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    await completeLease(first, { outcome: "done", expiresAt: NOW + 60_000 });
    expect(await acquireLease(second, { now: NOW + 59_999 })).toMatchObject({ outcome: "done" });
    expect(await acquireLease(second, { now: NOW + 60_000 })).toBeUndefined();
    expect((await readLeaseState(second))?.outcome).toBeUndefined();
  });
});

describe("who waits learns", () => {
  test("the outcome, also one that holds for nobody else", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() });
    const waiting = Promise.all(Array.from({ length: 5 }, () => waitForRelease(first, SOON())));
    await completeLease(first, { outcome: "failed", expiresAt: Date.now() });
    expect(await waiting).toEqual(Array(5).fill({ outcome: "failed" }));
    expect(await acquireLease(second, { now: Date.now() })).toBeUndefined();
  });

  test("that the work was given up", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() });
    const waiting = waitForRelease(first, SOON());
    await transact([{ ...releaseUpdate(first) }]);
    expect(await waiting).toBe("gone");
  });

  test("that another one has taken it over", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() - LEASE_MS });
    await acquireLease(second, { now: Date.now() });
    expect(await waitForRelease(first, SOON())).toBe("gone");
  });

  test("that its holder is not heard of any more", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() - LEASE_MS });
    expect(await waitForRelease(first, SOON())).toBe("gone");
  });

  test("that it takes too long", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() });
    expect(await waitForRelease(first, performance.now() + 20)).toBe("late");
  });
});

describe("a holder that has lost its turn", () => {
  test("can neither end nor give up the work of the next one", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    await acquireLease(second, { now: NOW + LEASE_MS });
    await completeLease(first, { outcome: "mine", expiresAt: NOW });
    await releaseLease(first);
    expect(await readLeaseState(second)).toEqual({ holder: second.holder, until: NOW + 2 * LEASE_MS });
  });

  test("cannot take an outcome back", async () => {
    const [first] = pair();
    await acquireLease(first, { now: NOW });
    await completeLease(first, { outcome: "done", expiresAt: NOW });
    await releaseLease(first);
    expect((await readLeaseState(first))?.outcome).toBe("done");
  });
});

test("a holder that is at work is heard of", async () => {
  const [first] = pair();
  await acquireLease(first, { now: Date.now() - LEASE_MS + 5_000 });
  const before = await readLeaseState(first);
  using _ = heartbeat(first);
  await expect
    .poll(async () => (await readLeaseState(first))?.until, { timeout: 8_000 })
    .toBeGreaterThan(before?.until ?? 0);
});
