// Counts captures of an account for its quota and its invoice, without a browser.
import { inject } from "vitest";
import { plans } from "../../lib/contract/plans.ts";
import { periodAt } from "../../lib/service/billing/billing-period.ts";
import { allowanceFor, creditFor } from "../../lib/service/billing/quota.ts";
import { reserveInPeriod, settleFree, settleSuccess } from "../../lib/service/billing/quota-store.ts";
import { createId } from "../../lib/service/platform/ids.ts";
import { recordCapture } from "../../lib/service/usage/usage-store.ts";
import { aCaptureLog } from "./builders.ts";
import type { Client } from "./client.ts";

/** Records a failed capture of a trial that has just ended and took `milliseconds`. */
export async function recordFailure(client: Client, milliseconds: number): Promise<void> {
  const { usageTable: usage, activityTable: activity } = inject("service");
  const now = Date.now();
  const { allowance, event, requestId } = aCapture(client, { format: "png", at: now });
  await reserveInPeriod(usage, [allowance], { now, until: now + 60_000 });
  const { items } = settleFree(usage, allowance, { milliseconds, endedAt: now, isFreeFailure: false });
  const recording = {
    preferredId: requestId,
    attempt: allowance.attempt,
    event: { ...event, status: "failed" as const },
  };
  await recordCapture({ usage, activity, retentionDays: 400 }, recording, items);
}

function aCapture({ account, keyId }: Client, { format, at }: { readonly format: string; readonly at: number }) {
  const requestId = createId(at, 0);
  const allowance = allowanceFor(
    { accountId: account.id, attempt: String(requestId), period: periodAt(account, at), credit: creditFor(format) },
    plans[account.plan],
  );
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: account.id, api_key_id: keyId, format });
  return { requestId, allowance, event };
}

/**
 * Counts `count` successes of an account at one time, `at`, in milliseconds since 1970. They are recorded in one transaction:
 * the log and the charts have one of them, and the quota has all.
 */
export async function recordPastCaptures(
  client: Client,
  { count, format = "png", at = Date.now() }: { count: number; format?: string; at?: number },
): Promise<void> {
  const { usageTable: usage, activityTable: activity } = inject("service");
  const { requestId, allowance, event } = aCapture(client, { format, at });
  const { items, billedIncrements, unbilledIncrements } = settleSuccess(usage, allowance);
  const counted = items.flatMap(({ otherwise }) => {
    if (!otherwise?.Update) return []; // it counts a capture whose reservation has expired
    return [{ write: { Update: { ...otherwise.Update, ExpressionAttributeValues: { ":one": count } } } }];
  });
  const times = (increments: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(increments).map(([name, one]) => [name, one * count]));
  const recording = {
    preferredId: requestId,
    attempt: allowance.attempt,
    event,
    billedIncrements: times(billedIncrements),
    unbilledIncrements: times(unbilledIncrements),
  };
  await recordCapture({ usage, activity, retentionDays: 400 }, recording, counted);
}
