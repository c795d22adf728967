// Billing periods on a real table: their capture counts and frozen terms.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Counts } from "../../../lib/contract/plan-cost.ts";
import { plans } from "../../../lib/contract/plans.ts";
import type { Account } from "../../../lib/service/account/account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { invoice } from "../../../lib/service/billing/invoice.ts";
import { readCounts, readPeriods } from "../../../lib/service/billing/period-store.ts";
import { allowanceFor } from "../../../lib/service/billing/quota.ts";
import { settleSuccess } from "../../../lib/service/billing/quota-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { aCaptureLog, anAccount } from "../../support/builders.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let running: RunningTables;
let usage: string;
let accounts = 0;
beforeAll(async () => {
  running = await startTables();
  usage = running.tables.usage;
});
afterAll(() => running.close());

const anotherAccount = (parts: Partial<Account>) => anAccount({ id: ++accounts, ...parts });

/** Sets the capture counts of a period, which is named by its start. */
function addCaptures(account: Account, start: string, counts: Partial<Counts>) {
  const names = Object.keys(counts);
  return dynamodb().send(
    new UpdateCommand({
      TableName: usage,
      Key: periodKey(account.id, start),
      UpdateExpression: `ADD ${names.map((name) => `${name} :${name}`).join(", ")}`,
      ExpressionAttributeValues: Object.fromEntries(Object.entries(counts).map(([name, count]) => [`:${name}`, count])),
    }),
  );
}

async function invoicesOf(account: Account, time: string) {
  const now = Date.parse(time);
  const records = await readPeriods(usage, account, now);
  return records.map(({ period, ...record }) => invoice(period, { ...record, now }));
}

/** Plan and total of each invoice, newest first. */
const billsOf = async (account: Account, time: string) =>
  (await invoicesOf(account, time)).map(({ plan, total }) => `${plan} ${total}`);

const succeed = (account: Account, time: number, requestId: number) => {
  const capture = {
    accountId: account.id,
    attempt: String(requestId),
    period: periodAt(account, time),
    credit: "screenshots",
  } as const;
  const { items, billedIncrements } = settleSuccess(usage, allowanceFor(capture, plans[account.plan]));
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: account.id });
  const record = { preferredId: createId(time, 0) + requestId, attempt: capture.attempt, event, billedIncrements };
  return recordCapture({ ...running.tables, retentionDays: 400 }, record, items);
};

describe("billing period store: captures of a period", () => {
  test("are zero without captures", async () => {
    const account = anotherAccount({});
    expect(await readCounts(usage, account.id, periodAt(account, Date.now()))).toEqual({ screenshots: 0, videos: 0 });
  });

  test("belong to this account and period only", async () => {
    const [account, other] = [anotherAccount({}), anotherAccount({})];
    await addCaptures(account, "2026-01-01T00:00:00.000Z", { screenshots: 1 });
    await addCaptures(account, "2026-02-01T00:00:00.000Z", { screenshots: 2, videos: 3 });
    await addCaptures(other, "2026-02-01T00:00:00.000Z", { screenshots: 5 });
    const february = periodAt(account, Date.UTC(2026, 1, 28));
    expect(await readCounts(usage, account.id, february)).toEqual({ screenshots: 2, videos: 3 });
  });
});

describe("billing period store: invoices of an account", () => {
  test("are one for each period, newest first, also for periods without captures", async () => {
    const account = anotherAccount({
      plan: "starter",
      created_at: "2026-01-20T12:00:00.000Z",
      billed_from: "2026-01-31T12:00:00.000Z",
    });
    await addCaptures(account, "2026-01-20T12:00:00.000Z", { screenshots: 300 });
    await addCaptures(account, "2026-01-31T12:00:00.000Z", { screenshots: 5_001, videos: 151 });
    await addCaptures(account, "2026-03-31T12:00:00.000Z", { screenshots: 10 });
    const reported = await invoicesOf(account, "2026-04-01T00:00:00.000Z");
    expect(reported.map(({ period, status, plan, total }) => [period.start, period.end, status, plan, total])).toEqual([
      ["2026-03-31T12:00:00.000Z", "2026-04-30T12:00:00.000Z", "open", "starter", "12.00"],
      ["2026-02-28T12:00:00.000Z", "2026-03-31T12:00:00.000Z", "closed", "starter", "12.00"],
      ["2026-01-31T12:00:00.000Z", "2026-02-28T12:00:00.000Z", "closed", "starter", "1.01"],
      ["2026-01-20T12:00:00.000Z", "2026-01-27T12:00:00.000Z", "closed", "free", "0.00"],
    ]);
    expect(reported.map(({ quotas }) => ("screenshots" in quotas ? quotas.screenshots.used : undefined))).toEqual([
      10, 0, 5_001, 300,
    ]);
  });

  test("cover ten years", async () => {
    const account = anotherAccount({ plan: "max" });
    const reported = await invoicesOf(account, "2036-01-01T00:00:00.000Z");
    expect(reported).toHaveLength(121);
    expect(reported.filter(({ total }) => total === "129.00")).toHaveLength(121);
  });

  test("change from open to closed a quarter of an hour after their period", async () => {
    const account = anotherAccount({});
    const statusAt = async (time: string) => (await invoicesOf(account, time)).at(-1)?.status;
    expect(await statusAt("2026-01-31T23:59:59.999Z")).toBe("open");
    expect(await statusAt("2026-02-01T00:14:59.999Z")).toBe("open");
    expect(await statusAt("2026-02-01T00:15:00.000Z")).toBe("closed");
  });
});

describe("billing period store: an ended period", () => {
  const starter = { plan: "starter" } as const;

  test("keeps its terms from the first time it is read, regardless of later plans", async () => {
    const account = anotherAccount(starter);
    await addCaptures(account, "2026-01-01T00:00:00.000Z", { screenshots: 5_200 });
    expect(await billsOf(account, "2026-02-02T00:00:00.000Z")).toEqual(["starter 12.00", "starter 2.00"]);
    const changed = { ...account, plan: "max" } as const;
    expect(await billsOf(changed, "2026-02-03T00:00:00.000Z")).toEqual(["max 129.00", "starter 2.00"]);
    expect(await billsOf(changed, "2026-03-03T00:00:00.000Z")).toEqual(["max 129.00", "max 129.00", "starter 2.00"]);
  });

  test("has ended with its last millisecond, and stored no terms before", async () => {
    const account = anotherAccount(starter);
    await billsOf(account, "2026-01-31T23:59:59.999Z");
    const changed = { ...account, plan: "pro" } as const;
    expect(await billsOf(changed, "2026-02-01T00:00:00.000Z")).toEqual(["pro 49.00", "pro 49.00"]);
    expect(await billsOf(account, "2026-02-01T00:00:00.001Z")).toEqual(["starter 12.00", "pro 49.00"]);
  });

  test("still counts captures that started in it and succeed later", async () => {
    const account = anotherAccount(starter);
    await addCaptures(account, "2026-01-01T00:00:00.000Z", { screenshots: 5_000 });
    expect(await billsOf(account, "2026-02-01T00:00:00.000Z")).toEqual(["starter 12.00", "starter 1.00"]);
    await succeed(account, Date.parse("2026-01-31T23:59:59.999Z"), 1);
    expect(await billsOf(account, "2026-02-01T00:01:00.000Z")).toEqual(["starter 12.00", "starter 1.01"]);
  });

  test("has the same terms for concurrent readers, also when the plan changes meanwhile", async () => {
    const account = anotherAccount(starter);
    const readers = (["starter", "pro", "max"] as const).flatMap((plan) => Array(8).fill({ ...account, plan }));
    const read = await Promise.all(readers.map((reader) => billsOf(reader, "2026-02-01T00:00:00.000Z")));
    expect(new Set(read.map(([, ended]) => ended)).size).toBe(1);
    expect(await billsOf({ ...account, plan: "free" }, "2026-02-02T00:00:00.000Z")).toContain(read[0]?.[1]);
  });

  test("loses no success that is counted while its terms are stored", async () => {
    const account = anotherAccount({ plan: "pro" });
    const january = Date.UTC(2026, 0, 15);
    const reads = Array.from({ length: 20 }, (_, index) =>
      readPeriods(usage, account, january + (20 + index) * DAY_MS),
    );
    const successes = Array.from({ length: 20 }, (_, index) => succeed(account, january, index));
    await Promise.all([...reads, ...successes]);
    const [, ended] = await readPeriods(usage, account, january + 20 * DAY_MS);
    expect(ended).toMatchObject({ counts: { screenshots: 20, videos: 0 }, terms: { plan: "pro" } });
  });
});
