// Leases in a real table: one of many holds one, and the others learn its outcome.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaseKey } from "../../../lib/service/aws/table-keys.ts";
import { transact } from "../../../lib/service/aws/transaction.ts";
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
} from "../../../lib/service/captures/lease-store.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

/** Holders of one lease that was never acquired. */
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

describe("lease: it is acquired", () => {
  test("by one of many at once, and the others learn by which", async () => {
    const claims = await Promise.all(holders(20).map((each) => acquireLease(each, { now: Date.now(), tag: "a" })));
    const taken = claims.flatMap((standing, index) => (standing ? [] : [`holder-${index}`]));
    expect(taken).toHaveLength(1);
    const others = claims.filter((standing) => standing !== undefined);
    expect(others).toHaveLength(19);
    for (const standing of others) expect(standing).toMatchObject({ holder: taken[0], tag: "a" });
  });

  test("again exactly when it expires", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    expect(await acquireLease(second, { now: NOW + LEASE_MS - 1 })).toMatchObject({ holder: first.holder });
    expect(await acquireLease(second, { now: NOW + LEASE_MS })).toBeUndefined();
    expect(await readLeaseState(first)).toMatchObject({ holder: second.holder, until: NOW + 2 * LEASE_MS });
  });

  test("for the requested time", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW, leaseMs: 60_000 });
    expect(await acquireLease(second, { now: NOW + 59_999 })).toMatchObject({ holder: first.holder });
    expect(await acquireLease(second, { now: NOW + 60_000 })).toBeUndefined();
  });

  test("once when the SDK retries a write that succeeded", async () => {
    const [first, second] = pair();
    const twice = [await acquireLease(first, { now: NOW }), await acquireLease(first, { now: NOW })];
    expect(twice).toEqual([undefined, undefined]);
    expect(await acquireLease(second, { now: NOW })).toMatchObject({ holder: first.holder });
  });

  test("again as soon as it is released", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() });
    await releaseLease(first);
    expect(await acquireLease(second, { now: Date.now() })).toBeUndefined();
  });

  test("again exactly when its outcome expires", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    await completeLease(first, { outcome: "done", expiresAt: NOW + 60_000 });
    expect(await acquireLease(second, { now: NOW + 59_999 })).toMatchObject({ outcome: "done" });
    expect(await acquireLease(second, { now: NOW + 60_000 })).toBeUndefined();
    expect((await readLeaseState(second))?.outcome).toBeUndefined();
  });
});

describe("lease: a waiter learns", () => {
  test("the outcome, even one that expires at once", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() });
    const waiting = Promise.all(Array.from({ length: 5 }, () => waitForRelease(first, SOON())));
    await completeLease(first, { outcome: "failed", expiresAt: Date.now() });
    expect(await waiting).toEqual(Array(5).fill({ outcome: "failed" }));
    expect(await acquireLease(second, { now: Date.now() })).toBeUndefined();
  });

  test("that it was released", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() });
    const waiting = waitForRelease(first, SOON());
    await transact([{ ...releaseUpdate(first) }]);
    expect(await waiting).toBe("gone");
  });

  test("that another holder has it", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: Date.now() - LEASE_MS });
    await acquireLease(second, { now: Date.now() });
    expect(await waitForRelease(first, SOON())).toBe("gone");
  });

  test("that it expired", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() - LEASE_MS });
    expect(await waitForRelease(first, SOON())).toBe("gone");
  });

  test("that its own deadline has passed", async () => {
    const [first] = pair();
    await acquireLease(first, { now: Date.now() });
    expect(await waitForRelease(first, performance.now() + 20)).toBe("late");
  });
});

describe("lease: a holder that lost it", () => {
  test("can neither complete nor release that of the next holder", async () => {
    const [first, second] = pair();
    await acquireLease(first, { now: NOW });
    await acquireLease(second, { now: NOW + LEASE_MS });
    await completeLease(first, { outcome: "mine", expiresAt: NOW });
    await releaseLease(first);
    expect(await readLeaseState(second)).toEqual({ holder: second.holder, until: NOW + 2 * LEASE_MS });
  });

  test("cannot remove an outcome", async () => {
    const [first] = pair();
    await acquireLease(first, { now: NOW });
    await completeLease(first, { outcome: "done", expiresAt: NOW });
    await releaseLease(first);
    expect((await readLeaseState(first))?.outcome).toBe("done");
  });
});

test("lease: a heartbeat extends it", async () => {
  const [first] = pair();
  await acquireLease(first, { now: Date.now() - LEASE_MS + 5_000 });
  const before = await readLeaseState(first);
  using _ = heartbeat(first);
  await expect
    .poll(async () => (await readLeaseState(first))?.until, { timeout: 8_000 })
    .toBeGreaterThan(before?.until ?? 0);
});
