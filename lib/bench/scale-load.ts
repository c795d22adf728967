// A load of captures on the real stores: each is admitted by the rate limit and recorded with its counts, on a DynamoDB engine with
// the contention of DynamoDB. The time of the model runs slower than that of this machine, so that the machine is not what is measured.
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { countRequest } from "../accounts/rate-limit-store.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { periodKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { periodAt } from "../billing/billing-period.ts";
import { readCounts } from "../billing/period-store.ts";
import { type Plan, plans } from "../billing/plans.ts";
import { type Allowance, allowanceFor } from "../billing/quota.ts";
import { settleSuccess } from "../billing/quota-store.ts";
import { createId } from "../platform/ids.ts";
import { chooseShard } from "../usage/counter-shards.ts";
import { queryDayCounters } from "../usage/counter-store.ts";
import { listCaptures } from "../usage/list-store.ts";
import { recordCapture } from "../usage/usage-store.ts";
import { startContention } from "./contention.ts";
import { slowPauses } from "./slow-pauses.ts";

/** How long DynamoDB updates the items of a transaction and of a write, in milliseconds: twice what a region measures as usual. */
const TRANSACTION_MS = 20;
const WRITE_MS = 5;
const RETENTION_DAYS = 400;

/** How captures are recorded: in one item of each kind, or in as many as the plan's rate needs. */
export type Recording = "one item" | "shards";

export interface ScaleLoad {
  /** Captures a second of each account. */
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly recording: Recording;
  /** How many captures this machine makes in a second of its own. */
  readonly machineRate: number;
}

export interface ScaleResult {
  readonly offered: number;
  readonly recorded: number;
  readonly failed: number;
  /** Captures that are counted, billed, or listed otherwise than recorded, over all accounts. */
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
    const startedAt = now();
    try {
      await record(accountId, plan, load.recording, tables);
      times.push(now() - startedAt);
      successes[index] = (successes[index] ?? 0) + 1;
    } catch {
      failed++;
    }
  };
  const pauses = slowPauses(slowdown);
  const begin = now();
  const captures = load.rates.flatMap((rate, index) => {
    const plan = { ...plans.max, requestsPerMinute: rate * 60 };
    const count = Math.round(rate * load.seconds);
    return Array.from({ length: count }, (_, number) => capture(index, begin + (1_000 * (number + 0.5)) / rate, plan));
  });
  await Promise.all(captures);
  pauses[Symbol.dispose]();
  contention.stop();
  const wrong = await Promise.all(
    successes.map(async (expected, index) => countWrong(tables, firstAccount + index, expected)),
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

async function record(accountId: number, plan: Plan, recording: Recording, tables: Tables): Promise<void> {
  const now = Date.now();
  const attempt = randomBytes(16).toString("hex");
  const period = periodAt(account, now);
  const allowance = allowanceFor({ accountId, attempt, period, credit: "screenshots" }, plan);
  const { billedIncrements } = settleSuccess(tables.usage, allowance);
  const url = "https://example.com/";
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
    ip_address: "192.0.2.1",
    api_key: { id: accountId, label: "Load", key_prefix: "cap_01234567" },
  };
  const records = { ...tables, retentionDays: RETENTION_DAYS };
  const capture = { preferredId: createId(now, Math.random()), attempt, event };
  if (recording === "one item") {
    await recordCapture(records, capture, [{ write: countInPeriod(tables, allowance) }]);
  } else {
    await recordCapture(records, { ...capture, billedIncrements, shard: chooseShard(plan, Math.random()) });
  }
}

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
async function listLogs(view: Parameters<typeof listCaptures>[0]): Promise<number> {
  const ids = new Set<number>();
  for (let page = 1; ; page++) {
    const { total, logs } = await listCaptures(view, { page, per_page: 100 });
    for (const { id } of logs) ids.add(id);
    if (page * 100 >= total) return ids.size;
  }
}
