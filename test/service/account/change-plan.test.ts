// A change of plan: what it changes, and what stays billed as it was.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanName } from "../../../lib/contract/plans.ts";
import type { Account } from "../../../lib/service/account/account.ts";
import { findCaller, readKeyRing } from "../../../lib/service/account/account-store.ts";
import { changePlan } from "../../../lib/service/account/change-plan.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { invoice } from "../../../lib/service/billing/invoice.ts";
import { readPeriods } from "../../../lib/service/billing/period-store.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const open = (plan: PlanName, time: string) =>
  openAccount(running.tables.accounts, { plan, label: "A customer", now: Date.parse(time) });

const change = (account: Pick<Account, "id">, plan: PlanName, time: string) =>
  changePlan(running.tables, { accountId: account.id, plan, now: Date.parse(time) });

const stored = async ({ id }: Pick<Account, "id">) => (await readKeyRing(running.tables.accounts, id)).account;

/** Start, plan and total of each invoice, newest first. */
async function billsOf({ id }: Pick<Account, "id">, time: string) {
  const account = await stored({ id });
  const now = Date.parse(time);
  const records = await readPeriods(running.tables.usage, account, now);
  return records.map(({ period, ...record }) => {
    const { plan, total } = invoice(period, { ...record, now });
    return `${period.start.slice(0, 10)} ${plan} ${total}`;
  });
}

describe("change of plan: from the trial to a paid plan", () => {
  test("ends the trial and starts monthly periods for all later requests", async () => {
    const { ring, apiKey } = await open("free", "2026-01-10T08:00:00.000Z");
    const changed = await change(ring.account, "starter", "2026-01-12T09:30:00.000Z");
    expect(changed.account).toMatchObject({ plan: "starter", billed_from: "2026-01-12T09:30:00.000Z" });
    expect(await stored(ring.account)).toEqual(changed.account);
    const caller = await findCaller(running.tables.accounts, apiKey.hash);
    expect(caller?.account).toMatchObject({ plan: "starter", billed_from: "2026-01-12T09:30:00.000Z" });
    expect(await billsOf(ring.account, "2026-02-12T09:30:00.000Z")).toEqual([
      "2026-02-12 starter 12.00",
      "2026-01-12 starter 1.00",
      "2026-01-10 free 0.00",
    ]);
  });

  test("can come long after the trial, whose invoice does not change", async () => {
    const { ring } = await open("free", "2026-01-10T08:00:00.000Z");
    await change(ring.account, "pro", "2026-05-31T00:00:00.000Z");
    expect(await billsOf(ring.account, "2026-07-01T00:00:00.000Z")).toEqual([
      "2026-06-30 pro 49.00",
      "2026-05-31 pro 49.00",
      "2026-01-10 free 0.00",
    ]);
  });
});

describe("change of plan: from one paid plan to another", () => {
  test("keeps the period boundaries, and bills the current period by the new plan", async () => {
    const { ring } = await open("pro", "2026-01-31T12:00:00.000Z");
    const { account } = await change(ring.account, "starter", "2026-02-10T00:00:00.000Z");
    expect(account.billed_from).toBe("2026-01-31T12:00:00.000Z");
    expect(await billsOf(account, "2026-02-11T00:00:00.000Z")).toEqual(["2026-01-31 starter 1.00"]);
  });

  test("keeps the terms of past periods, including those that were never read", async () => {
    const { ring } = await open("starter", "2026-01-01T00:00:00.000Z");
    await change(ring.account, "max", "2026-03-15T00:00:00.000Z");
    await change(ring.account, "pro", "2026-04-15T00:00:00.000Z");
    expect(await billsOf(ring.account, "2026-04-16T00:00:00.000Z")).toEqual([
      "2026-04-01 pro 49.00",
      "2026-03-01 max 129.00",
      "2026-02-01 starter 12.00",
      "2026-01-01 starter 1.00",
    ]);
  });

  test.each([
    ["in its last millisecond, bills a period by the new plan", "2026-01-31T23:59:59.999Z", "2026-01-01 max 129.00"],
    ["as the next one begins, leaves it", "2026-02-01T00:00:00.000Z", "2026-01-01 pro 49.00"],
  ])("%s", async (_, time, bill) => {
    const { ring } = await open("pro", "2026-01-01T00:00:00.000Z");
    await change(ring.account, "max", time);
    expect(await billsOf(ring.account, "2026-02-02T00:00:00.000Z")).toEqual(["2026-02-01 max 129.00", bill]);
  });

  test("to the same plan does not change any bill", async () => {
    const { ring } = await open("pro", "2026-01-01T00:00:00.000Z");
    const { account } = await change(ring.account, "pro", "2026-01-15T00:00:00.000Z");
    expect(account).toMatchObject({ plan: "pro", billed_from: ring.account.billed_from });
  });
});

test("change of plan: an account with a paid plan cannot go back to the trial, and does not change", async () => {
  const { ring } = await open("starter", "2026-01-01T00:00:00.000Z");
  await expect(change(ring.account, "free", "2026-01-02T00:00:00.000Z")).rejects.toThrow(RangeError);
  expect(await stored(ring.account)).toEqual(ring.account);
});

test("change of plan: an unknown account fails", async () => {
  await expect(change({ id: 1 }, "pro", "2026-01-02T00:00:00.000Z")).rejects.toThrow("There is no account 1.");
});

test("change of plan: concurrent changes are applied one after the other", async () => {
  const { ring } = await open("free", "2026-01-01T00:00:00.000Z");
  const wanted = ["starter", "pro", "max", "pro", "starter"] as const;
  await Promise.all(wanted.map((plan) => change(ring.account, plan, "2026-01-03T00:00:00.000Z")));
  expect(await stored(ring.account)).toMatchObject({
    version: ring.account.version + wanted.length,
    billed_from: "2026-01-03T00:00:00.000Z",
  });
});
