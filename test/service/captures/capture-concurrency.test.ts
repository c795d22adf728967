// Fairness of synchronous captures: the share of an account, against the DynamoDB engine.
import { ProvisionedThroughputExceededException } from "@aws-sdk/client-dynamodb";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { concurrencyLimit } from "../../../lib/service/account/limits.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { startOperation } from "../../../lib/service/aws/running-count.ts";
import { allRunningCapturesKey, keylessCapturesKey } from "../../../lib/service/aws/table-keys.ts";
import { busyCapacity, startSynchronousCapture } from "../../../lib/service/captures/capture-concurrency.ts";
import { whileCallsFail } from "../../support/aws-calls.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1);
let nextId = 1;

/** Captures of a new account on the free plan, with a share of 4 of 20, unless the operator has set how many. */
function anAccount({
  sent = 10,
  limit = undefined as number | undefined,
  until = null as string | null,
  canBeAsync = true,
} = {}) {
  const limits = limit === undefined ? undefined : { concurrent_captures: { value: limit, until } };
  const account = {
    ...{ id: nextId++, plan: "free" as const, created_at: "2026-01-01T00:00:00.000Z", billed_from: null },
    ...(limits && { limits }),
  };
  const requests = { limit: 10, remaining: 10 - sent };
  const env = { USAGE_TABLE: running.tables.usage, MAX_CONCURRENT_CAPTURES: 20 };
  return (now = NOW) => startSynchronousCapture({ account, requests, now, canBeAsync }, env);
}

test.each([
  ["free", 10, 2],
  ["free", 3, 1],
  ["starter", 10, 4],
  ["max", 1000, 800],
] as const)("capture concurrency: an account on %s has of %d captures at once %d", (plan, capacity, share) => {
  expect(concurrencyLimit({ plan }, { capacity, now: NOW }).value).toBe(share);
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

test("capture concurrency: a refused capture gets its error although its counters can't be released, which is logged", async () => {
  const loggedErrors = collectLoggedErrors();
  const start = anAccount();
  await Promise.all(Array.from({ length: 4 }, () => start()));
  await expect(whileCallsFail(/:minus_one/, () => start())).rejects.toMatchObject({ code: "CAPACITY", status: 503 });
  expect(loggedErrors()).toEqual(["refused operation not released", "running capture not released"]);
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
    return () => startSynchronousCapture({ account, requests: { limit: 150, remaining: 150 - sent }, now }, env);
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
  [2, 1],
  [6, 1],
  [6, 10],
])(
  "capture concurrency: where the operator has set %d, exactly so many run, after %d requests in the last minute",
  async (limit, sent) => {
    const start = anAccount({ limit, sent });
    const now = NOW + 120 * MINUTE; // nothing of the other tests runs any more
    const captures = [];
    for (let count = 0; count < limit; count++) captures.push(await start(now));
    await expect(start(now)).rejects.toMatchObject({
      code: "CAPACITY",
      blame: "caller",
      message: `The account runs as many synchronous captures as the operator of the service allows it: ${limit}. Try again in 3 s, or send async=true.`,
    });
    for (const capture of captures) await capture?.release();
    await (await start(now))?.release();
  },
);

test("capture concurrency: where the operator has set 0, only what can't be asynchronous is captured, one at a time", async () => {
  await expect(anAccount({ limit: 0, sent: 1 })()).rejects.toMatchObject({ code: "CAPACITY", blame: "caller" });
  const startInvoice = anAccount({ limit: 0, sent: 1, canBeAsync: false });
  const invoice = await startInvoice();
  await expect(startInvoice()).rejects.toThrow("allows it: 1. Try again in 3 s.");
  await invoice?.release();
  expect(await startInvoice()).toBeDefined();
});

test("capture concurrency: the share of the plan applies again from the moment at which a limit ends", async () => {
  const end = NOW + 150 * MINUTE; // nothing of the other tests runs any more
  const start = anAccount({ limit: 1, until: new Date(end).toISOString() });
  await start(end - 1);
  await expect(start(end - 1)).rejects.toThrow("allows it: 1.");
  await Promise.all([start(end), start(end), start(end)]);
  await expect(start(end)).rejects.toThrow("runs 4 synchronous captures, its share of the service");
});

test("capture concurrency: a limit above the capacity leaves a tenth of the service to others", async () => {
  const now = NOW + 180 * MINUTE; // nothing of the other tests runs any more
  const start = anAccount({ limit: 1_000, sent: 20 });
  const captures = await Promise.all(Array.from({ length: 18 }, () => start(now)));
  await expect(start(now)).rejects.toMatchObject({ code: "CAPACITY", blame: "us" });
  await Promise.all(captures.map((capture) => capture?.release()));
});

test.each([
  [1, 1],
  [10, 9],
  [4_000, 3_600],
])("capture concurrency: of %d captures at once, busy accounts have %d", (capacity, busy) => {
  expect(busyCapacity(capacity)).toBe(busy);
});

/** Lets DynamoDB throttle the writes of a partition while `work` runs. */
async function whileThrottled<T>(partition: string, work: () => Promise<T>): Promise<T> {
  const { middlewareStack } = dynamodb();
  middlewareStack.add(
    (next) => async (args) => {
      const { Key } = args.input as { readonly Key?: { readonly pk: unknown } };
      if (JSON.stringify(Key?.pk ?? "").includes(partition)) {
        throw new ProvisionedThroughputExceededException({ message: "Throttled.", $metadata: {} });
      }
      return next(args);
    },
    { step: "initialize", name: "throttle", priority: "low" },
  );
  try {
    return await work();
  } finally {
    middlewareStack.remove("throttle");
  }
}

test("capture concurrency: a counter of all accounts that is throttled lets the capture pass, and the sums stay exact", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const start = anAccount();
  const key = allRunningCapturesKey(0);
  const countAll = async () => {
    const { Item = {} } = await dynamodb().send(new GetCommand({ TableName: running.tables.usage, Key: key }));
    return Object.entries(Item).reduce((sum, [name, count]) => (name.startsWith("b_") ? sum + Number(count) : sum), 0);
  };
  const before = await countAll();
  const captures = await whileThrottled(key.pk, () => Promise.all(Array.from({ length: 4 }, () => start())));
  expect(captures).not.toContain(undefined);
  expect(warned).toHaveBeenCalledWith(expect.objectContaining({ event: "counter throttled", partition: "SLOTS#all" }));
  await expect(start()).rejects.toThrow(/share/); // its own counter counted them
  for (const capture of captures) await capture?.release();
  expect(await countAll()).toBe(before);
});

test("capture concurrency: captures without an API key are refused while their counter is throttled", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const count = { table: running.tables.usage, key: keylessCapturesKey, limit: 2, maxDurationMs: MINUTE };
  const start = () => startOperation({ ...count, whenThrottled: "refuse" }, NOW);
  expect(await whileThrottled(keylessCapturesKey.pk, start)).toBeUndefined();
});
