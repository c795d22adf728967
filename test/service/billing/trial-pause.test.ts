// The pause of trials, by the budget or by the operator.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../lib/service/account/account.ts";
import { reserveQuota } from "../../../lib/service/billing/quota-reservation.ts";
import {
  endOfMonth,
  findTrialPause,
  pauseTrials,
  readTrialPause,
  resumeTrials,
} from "../../../lib/service/billing/trial-pause.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.usage;
});
afterAll(() => running.close());

const created_at = "2026-01-01T00:00:00.000Z";
const callerOf = (plan: "free" | "starter", key_prefix: string) => {
  const account = { id: 7, plan, created_at, billed_from: plan === "free" ? null : created_at };
  return { account, key: { key_prefix } } as unknown as Caller;
};
const reserve = async (plan: "free" | "starter", keyPrefix = "cap_01234567") => {
  const outputs = [{ options: { format: "png", async: false } }] as const;
  const request = { caller: callerOf(plan, keyPrefix), outputs, receivedAt: Date.now() };
  const [reservation] = await reserveQuota(request, { USAGE_TABLE: table });
  return reservation;
};

test("trial pause: refuses new captures of trials with the time of its end, and none of paid plans", async () => {
  const until = Date.now() + 3_600_000;
  await pauseTrials(table, until);
  const refused = await reserve("free");
  expect(refused.isGranted).toBe(false);
  expect(() => refused.require()).toThrow(
    `Captures of the free trial are paused until ${new Date(until).toISOString()}, because this service has used up its budget.`,
  );
  expect((await reserve("starter")).isGranted).toBe(true);
});

test("trial pause: applies to the tests of a trial, too, which cost as much", async () => {
  await pauseTrials(table, Date.now() + 3_600_000);
  const tests = await Promise.all([reserve("free", "cap_test_01234567"), reserve("starter", "cap_test_01234567")]);
  expect(tests.map(({ isGranted }) => isGranted)).toEqual([false, true]);
});

test("trial pause: ends by itself, or when it is lifted", async () => {
  const now = Date.now();
  await pauseTrials(table, now + 1_000);
  expect(await readTrialPause(table, now)).toBe(now + 1_000);
  expect(await readTrialPause(table, now + 1_000)).toBeUndefined();
  await resumeTrials(table);
  expect(await readTrialPause(table, now)).toBeUndefined();
});

test("trial pause: a function reads it once a minute", async () => {
  const now = Date.now() + 600_000;
  await pauseTrials(table, now + 600_000);
  expect(await findTrialPause(table, now)).toBe(now + 600_000);
  await resumeTrials(table);
  expect(await findTrialPause(table, now + 59_999)).toBe(now + 600_000);
  expect(await findTrialPause(table, now + 60_000)).toBeUndefined();
});

test("trial pause: one that cannot be read pauses no account", async () => {
  expect(await findTrialPause("no-such-table", Date.now())).toBeUndefined();
});

test.each([
  ["2026-11-24T23:00:00Z", "2026-12-01T00:00:00.000Z"],
  ["2026-12-31T23:59:59Z", "2027-01-01T00:00:00.000Z"],
])("trial pause: the month of %s ends at %s", (now, end) => {
  expect(new Date(endOfMonth(Date.parse(now))).toISOString()).toBe(end);
});
