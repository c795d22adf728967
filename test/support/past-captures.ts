// Records past captures of an account as the service does, without a browser.
import { inject } from "vitest";
import { periodAt } from "../../lib/billing/billing-period.ts";
import { plans } from "../../lib/billing/plans.ts";
import { allowanceFor, creditFor } from "../../lib/billing/quota.ts";
import { reserveInPeriod, settleSuccess } from "../../lib/billing/quota-store.ts";
import { createId } from "../../lib/platform/ids.ts";
import { recordCapture } from "../../lib/usage/usage-store.ts";
import { aCaptureLog } from "./builders.ts";
import type { Client } from "./client.ts";

/** Captures that are written side by side. */
const AT_ONCE = 25;

/** Records successes of an account, all of them at one time, `at`, in milliseconds since 1970. */
export async function recordPastCaptures(
  { account, keyId }: Client,
  { count, format = "png", at = Date.now() }: { count: number; format?: string; at?: number },
): Promise<void> {
  const { usageTable: usage, activityTable: activity } = inject("service");
  const recordOne = async (index: number) => {
    const requestId = createId(at, 0) + index;
    const allowance = allowanceFor(
      { accountId: account.id, attempt: String(requestId), period: periodAt(account, at), credit: creditFor(format) },
      plans[account.plan],
    );
    if (allowance.isCapped) await reserveInPeriod(usage, allowance, { now: at, until: at + 60_000 });
    const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: account.id, api_key_id: keyId, format });
    const { items, billedIncrements } = settleSuccess(usage, allowance);
    const recording = { preferredId: requestId, attempt: allowance.attempt, event, billedIncrements };
    await recordCapture({ usage, activity, retentionDays: 400 }, recording, items);
  };
  for (let done = 0; done < count; done += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => done + index);
    await Promise.all(indexes.map(recordOne));
  }
}
