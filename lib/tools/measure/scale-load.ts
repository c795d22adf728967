// A load of captures on the real stores: each is admitted by the rate limit and recorded with its counts, and asynchronous ones are
// jobs with a slot before that, on a DynamoDB engine with the contention of DynamoDB. The time of the model runs slower than that of this machine, so that the machine is not what is measured.
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { type Plan, plans } from "../../contract/plans.ts";
import type { Caller } from "../../service/account/account.ts";
import { countRequest } from "../../service/account/rate-limit-store.ts";
import { dynamodb } from "../../service/aws/clients/dynamodb.ts";
import { type Reservable, releaseWrite, reserve } from "../../service/aws/reservations.ts";
import type { HeldSlot } from "../../service/aws/slot-counter.ts";
import { jobSlotsKey, periodKey, slotsPartition } from "../../service/aws/table-keys.ts";
import type { Write } from "../../service/aws/transaction.ts";
import { periodAt } from "../../service/billing/billing-period.ts";
import { readCounts } from "../../service/billing/period-store.ts";
import { type Allowance, allowanceFor } from "../../service/billing/quota.ts";
import { settleSuccess } from "../../service/billing/quota-store.ts";
import { newJob } from "../../service/jobs/job.ts";
import { claimJob, putJob } from "../../service/jobs/job-store.ts";
import { endWrite } from "../../service/jobs/job-writes.ts";
import { acquireSlot, releaseSlotWrites, slotShards } from "../../service/jobs/slot-store.ts";
import { createId } from "../../service/platform/ids.ts";
import { chooseShard } from "../../service/usage/counter-shards.ts";
import { queryDayCounters } from "../../service/usage/counter-store.ts";
import { queryCaptures } from "../../service/usage/list-store.ts";
import { recordCapture, type TransactionItem } from "../../service/usage/usage-store.ts";
import { startContention } from "./contention.ts";
import { slowPauses } from "./slow-pauses.ts";

/** How long DynamoDB updates the items of a transaction and of a write, in milliseconds: twice what a region measures as usual. */
const TRANSACTION_MS = 20;
const WRITE_MS = 5;
const RETENTION_DAYS = 400;

/** How captures are recorded: in one item of each kind, or in as many as the plan's rate needs. */
export type LoadRecording = "one item" | "shards";

export interface ScaleLoad {
  /** Captures a second of each account. */
  readonly rates: readonly number[];
  readonly seconds: number;
  /** Requests a minute of each account's plan. @default as many as it sends */
  readonly requestsPerMinute?: number;
  readonly recording: LoadRecording;
  /** Whether they are asynchronous. */
  readonly isJob: boolean;
  /** How many captures this machine makes in a second of its own. */
  readonly machineRate: number;
}

export interface ScaleResult {
  readonly offered: number;
  readonly recorded: number;
  readonly failed: number;
  /** Captures that are counted, billed, or listed otherwise than recorded, and slots of no job, over all accounts. */
  readonly wrong: number;
  readonly conflicts: number;
  readonly throttled: number;
  /** Of all that is recorded, in milliseconds of the model. */
  readonly times: readonly number[];
  readonly unitsPerCapture: number;
  readonly busiest: ReadonlyMap<string, number>;
}

interface Tables {
  readonly usage: string;
  readonly activity: string;
}

const account = { created_at: "2026-01-01T00:00:00.000Z", billed_from: "2026-01-01T00:00:00.000Z" };

/** Runs a load, and compares what is recorded, counted, billed, and listed. Accounts are new, from the id `firstAccount` on. */
export async function runScaleLoad(load: ScaleLoad, tables: Tables, firstAccount: number): Promise<ScaleResult> {
  const total = load.rates.reduce((sum, rate) => sum + rate, 0);
  const slowdown = Math.max(1, total / load.machineRate);
  const now = () => performance.now() / slowdown;
  const contention = startContention(dynamodb(), { transactionMs: TRANSACTION_MS, writeMs: WRITE_MS, now });
  const times: number[] = [];
  const successes = load.rates.map(() => 0);
  let failed = 0;

  const capture = async (index: number, at: number, plan: Plan) => {
    await setTimeout(at - now());
    const accountId = firstAccount + index;
    const { requestsPerMinute: limit } = plan;
    await countRequest(tables.usage, { accountId, keyId: accountId, limit, now: Date.now() });
    try {
      const writes = load.isJob ? recordJob : record;
      times.push(await writes(accountId, plan, { ...load, now }, tables));
      successes[index] = (successes[index] ?? 0) + 1;
    } catch {
      failed++;
    }
  };
  const pauses = slowPauses(slowdown);
  const begin = now();
  const captures = load.rates.flatMap((rate, index) => {
    const requestsPerMinute = load.requestsPerMinute ?? rate * 60;
    const plan = { ...plans.max, requestsPerMinute, concurrentJobs: MAX_JOBS };
    const count = Math.round(rate * load.seconds);
    return Array.from({ length: count }, (_, number) => capture(index, begin + (1_000 * (number + 0.5)) / rate, plan));
  });
  try {
    await Promise.all(captures);
  } finally {
    pauses[Symbol.dispose]();
    contention.stop();
  }
  const wrong = await Promise.all(
    successes.map(async (expected, index) => {
      const accountId = firstAccount + index;
      const plan = { requestsPerMinute: (load.rates[index] ?? 0) * 60 };
      return (await countWrong(tables, accountId, expected)) + (await countTakenSlots(tables, accountId, plan));
    }),
  );
  return {
    offered: captures.length,
    recorded: times.length,
    failed,
    wrong: wrong.reduce((sum, each) => sum + each, 0),
    conflicts: contention.conflicts,
    throttled: contention.throttled,
    times,
    unitsPerCapture: contention.units / Math.max(1, times.length),
    busiest: contention.busiest,
  };
}

interface RecordOptions {
  readonly recording: LoadRecording;
  now(): number;
}

/** Records a capture; resolves to the milliseconds of the model that it took. */
async function record(
  accountId: number,
  plan: Plan,
  { recording, now }: RecordOptions,
  tables: Tables,
  allowance = newAllowance(accountId, plan),
  jobItems: readonly TransactionItem[] = [],
): Promise<number> {
  const event = {
    user_id: accountId,
    api_key_id: accountId,
    url,
    options: { url },
    format: "png",
    status: "success" as const,
    http_status_code: null,
    error_message: null,
    response_time_ms: 1_200,
    file_size_bytes: 34_567,
    cached: false,
    asynchronous: false,
    group_id: null,
    output_name: null,
    webhook_target: null,
    thumbnail: null,
    ip_address: "192.0.2.1",
    api_key: { id: accountId, label: "Load", key_prefix: "cap_01234567" },
  };
  const records = { ...tables, retentionDays: RETENTION_DAYS };
  const capture = { preferredId: createId(Date.now(), Math.random()), attempt: allowance.attempt, event };
  const { billedIncrements } = settleSuccess(tables.usage, allowance);
  const startedAt = now();
  if (recording === "one item") {
    await recordCapture(records, capture, [{ write: countInPeriod(tables, allowance) }, ...jobItems]);
  } else {
    await recordCapture(records, { ...capture, billedIncrements, shard: chooseShard(plan, Math.random()) }, jobItems);
  }
  return now() - startedAt;
}

const url = "https://example.com/";

function newAllowance(accountId: number, plan: Plan): Allowance {
  const attempt = randomBytes(16).toString("hex");
  return allowanceFor({ accountId, attempt, period: periodAt(account, Date.now()), credit: "screenshots" }, plan);
}

/** For how long a job is queued, in milliseconds. */
const QUEUED_MS = 3_000;

/** Makes a job, claims it when its time has come, and ends it. Resolves to the time that its end took. */
async function recordJob(accountId: number, plan: Plan, options: RecordOptions, tables: Tables): Promise<number> {
  const allowance = newAllowance(accountId, plan);
  const slot = await holdSlot(accountId, plan, options, { tables, allowance });
  const id = createId(Date.now(), Math.random());
  const key = { id: accountId, label: "Load", key_prefix: "cap_01234567", expires_at: null, revoked_at: null };
  const caller: Caller = {
    account: { ...account, id: accountId, plan: "max" },
    key: { ...key, scopes: ["capture"], require_signature: false },
  };
  const request = { caller, source_ip: "192.0.2.1", url, options: { url, async: "true" } };
  const outputs = [{ group: undefined, allowance, format: "png", options: {} }] as const;
  const stored = { id, now: Date.now(), request, outputs, external_identifier: null, webhook: null, slot: slot.held };
  const job = await putJob(tables.activity, newJob(stored));
  await setTimeout(QUEUED_MS);
  const holder = allowance.attempt;
  await claimJob(tables.activity, job, { lease: { holder, until: Date.now() + 3_600_000 }, now: Date.now() });
  const result = {
    mime_type: "image/png",
    size_bytes: 34_567,
    expires_at: Date.now(),
    stored: STORED,
    cache_hash: null,
  };
  const output = {
    index: 0,
    loads: 1,
    outcome: { status: "success", result, from_cache: false, error: null },
  } as const;
  const ended = { status: "success", from_cache: false, response_time_ms: 1_200 } as const;
  const by = { holder };
  const end = { Update: endWrite(tables.activity, job, { by, now: Date.now(), output, job: ended }) };
  const items = [{ write: end, isRequired: true }, ...slot.releases.map((write) => ({ write }))];
  return record(accountId, plan, options, tables, allowance, items);
}

/** As large as a packed capture is. */
const STORED = { key: "x".repeat(60), facts: "x".repeat(140) };

async function holdSlot(
  accountId: number,
  plan: Plan,
  { recording }: RecordOptions,
  { tables, allowance }: { readonly tables: Tables; readonly allowance: Allowance },
): Promise<{ readonly held: HeldSlot | null; readonly releases: readonly Write[] }> {
  if (recording === "one item") {
    const supply = oneItemOfSlots(tables, accountId);
    const now = Date.now();
    const { isReserved } = await reserve(supply, [allowance.attempt], { now, until: now + 3_600_000 });
    if (!isReserved) throw new Error("There is no slot.");
    return { held: null, releases: [{ Update: releaseWrite(supply, allowance.attempt) }] };
  }
  const acquired = await acquireSlot(tables.usage, accountId, { plan, now: Date.now() });
  if ("taken" in acquired) throw new Error("There is no slot.");
  const { slot } = acquired;
  return { held: slot, releases: releaseSlotWrites(tables.usage, { account_id: accountId, slot }) };
}

/** As version 1.0 had them: an attribute for each. */
function oneItemOfSlots({ usage }: Tables, accountId: number): Reservable {
  return { table: usage, key: { pk: slotsPartition(accountId), sk: "JOBS" }, name: "jobs", limit: MAX_JOBS };
}

const MAX_JOBS = 100_000;

/** As version 1.0 did for every capture: the item of the billing period is the fourth of the transaction. */
function countInPeriod({ usage }: Tables, { accountId, period, credit }: Allowance): Write {
  return {
    Update: {
      TableName: usage,
      Key: periodKey(accountId, period.start),
      UpdateExpression: `ADD ${credit} :one`,
      ExpressionAttributeValues: { ":one": 1 },
    },
  };
}

/** How far the bill, the statistics, and the list of an account are from what was recorded. */
async function countWrong(tables: Tables, accountId: number, expected: number): Promise<number> {
  const now = Date.now();
  const view = { ...tables, accountId, now, retentionDays: RETENTION_DAYS };
  const [billed, days, list] = await Promise.all([
    readCounts(tables.usage, accountId, periodAt(account, now)),
    queryDayCounters(view, {}),
    listLogs(view),
  ]);
  const counted = days.reduce((sum, { success, failed }) => sum + success + failed, 0);
  return [billed.screenshots, counted, list].reduce((sum, count) => sum + Math.abs(count - expected), 0);
}

/** The number of different captures on all pages of the list. */
async function listLogs(view: Parameters<typeof queryCaptures>[0]): Promise<number> {
  const ids = new Set<number>();
  for (let page = 1; ; page++) {
    const { total, logs } = await queryCaptures(view, { page, per_page: 100 });
    for (const { id } of logs) ids.add(id);
    if (page * 100 >= total) return ids.size;
  }
}

async function countTakenSlots(
  { usage }: Tables,
  accountId: number,
  plan: Pick<Plan, "requestsPerMinute">,
): Promise<number> {
  const shards = Array.from({ length: slotShards(plan) }, async (_, shard) => {
    const command = new GetCommand({ TableName: usage, Key: jobSlotsKey(accountId, shard), ConsistentRead: true });
    return Number((await dynamodb().send(command)).Item?.["taken"] ?? 0);
  });
  return (await Promise.all(shards)).reduce((sum, taken) => sum + taken, 0);
}
