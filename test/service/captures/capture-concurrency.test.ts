// Fairness of synchronous captures: the share of an account, against the DynamoDB engine.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiError } from "../../../lib/contract/errors/api-error.ts";
import {
  busyCapacity,
  concurrencyShare,
  startSynchronousCapture,
} from "../../../lib/service/captures/capture-concurrency.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1);
let nextId = 1;

/** Captures of a new account on the free plan, with a share of 4. */
function anAccount({ sent = 10 } = {}) {
  const account = { id: nextId++, plan: "free", created_at: "2026-01-01T00:00:00.000Z", billed_from: null } as const;
  const requests = { limit: 10, remaining: 10 - sent, reset: 0 };
  const env = { USAGE_TABLE: running.tables.usage, MAX_CONCURRENT_CAPTURES: 20 };
  return (now = NOW) => startSynchronousCapture({ account, requests, now }, env);
}

test.each([
  ["free", 10, 2],
  ["free", 3, 1],
  ["starter", 10, 4],
  ["max", 1000, 800],
] as const)("capture concurrency: an account on %s has of %d captures at once %d", (plan, capacity, share) => {
  expect(concurrencyShare({ plan }, capacity)).toBe(share);
});

test("capture concurrency: one capture more than the share is refused with Retry-After, and another account's is not", async () => {
  const start = anAccount();
  const captures = await Promise.all(Array.from({ length: 4 }, () => start()));
  expect(captures).not.toContain(undefined);

  const refused: ApiError = await start().then(
    () => expect.unreachable(),
    (error) => error,
  );

  expect(refused).toMatchObject({ code: "CAPACITY", status: 503, headers: { "Retry-After": "3" }, blame: "caller" });
  expect(refused.message).toContain("runs 4 synchronous captures");
  expect(await anAccount()()).toBeDefined();
  await captures[0]?.release();
  expect(await start()).toBeDefined();
  await expect(start()).rejects.toThrow(/share/);
});

test("capture concurrency: of simultaneous captures no more than the share run", async () => {
  const start = anAccount();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => start()));
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(4);
  await Promise.all(outcomes.map((each) => (each.status === "fulfilled" ? each.value?.release() : undefined)));
  expect(await Promise.all(Array.from({ length: 4 }, () => start()))).not.toContain(undefined);
});

test("capture concurrency: a capture whose function was killed counts until no capture lasts as long", async () => {
  const start = anAccount();
  const lost = await Promise.all(Array.from({ length: 4 }, () => start()));
  await expect(start(NOW + 2 * MINUTE)).rejects.toThrow(/share/);

  const after = NOW + 3 * MINUTE;
  expect(await Promise.all(Array.from({ length: 4 }, () => start(after)))).not.toContain(undefined);
  await lost[0]?.release(); // its minute is gone
  await expect(start(after)).rejects.toThrow(/share/);
});

test("capture concurrency: an account with few requests in the last minute is not counted", async () => {
  const start = anAccount({ sent: 2 });
  expect(await Promise.all(Array.from({ length: 8 }, () => start()))).toEqual(Array(8).fill(undefined));
});

test("capture concurrency: busy accounts leave a tenth of the service to others, and are refused with Retry-After beyond it", async () => {
  const now = NOW + 60 * MINUTE; // nothing of the other tests runs any more
  const env = { USAGE_TABLE: running.tables.usage, MAX_CONCURRENT_CAPTURES: 20 };
  const startAs = (plan: "max" | "free", sent: number) => {
    const account = { id: nextId++, plan, created_at: "2026-01-01T00:00:00.000Z", billed_from: null } as const;
    return () =>
      startSynchronousCapture({ account, requests: { limit: 150, remaining: 150 - sent, reset: 0 }, now }, env);
  };
  const first = startAs("max", 100);
  const captures = await Promise.all(Array.from({ length: 16 }, () => first()));
  await expect(first()).rejects.toThrow("The account runs 16 synchronous captures");

  const second = startAs("max", 100);
  await second();
  await second();
  const refused: ApiError = await second().then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(refused).toMatchObject({ code: "CAPACITY", status: 503, headers: { "Retry-After": "3" }, blame: "us" });
  expect(refused.message).toContain("The service runs as many synchronous captures as it can");
  expect(await startAs("free", 1)()).toBeUndefined();

  await captures[0]?.release();
  expect(await second()).toBeDefined();
});

test.each([
  [1, 1],
  [10, 9],
  [4_000, 3_600],
])("capture concurrency: of %d captures at once, busy accounts have %d", (capacity, busy) => {
  expect(busyCapacity(capacity)).toBe(busy);
});
