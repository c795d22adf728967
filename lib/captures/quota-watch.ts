// Watches quotas for alerts while captures are reserved: it reads what an account has used only when the next alert can be
// near, and queues a message for the function that sends mail.
import { sendForAccount } from "../aws/account-queue.ts";
import { readPeriodUse } from "../billing/period-store.ts";
import type { Plan } from "../billing/plans.ts";
import type { Allowance } from "../billing/quota.ts";
import { capturesUntilAlert } from "../billing/quota-alerts.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";

/** Asynchronous captures that were queued before a read finish after it, so no read is trusted for longer. */
const MAX_PAUSE_MS = 10 * 60 * 1000;
const MINUTE_MS = 60_000;

/** More accounts than one function serves within minutes; beyond that, all are read again. */
const MAX_REMEMBERED = 1_000;

/** By account, period, and quota: when to read again, in milliseconds since 1970. */
const nextReads = new Map<string, number>();

type Watched = Pick<Allowance, "accountId" | "period" | "quota">;

/**
 * Resolves to true if the capture that is being reserved reaches a percentage of which the account's owner was not told.
 * Resolves to false without a read where no mail is configured, and while the account's rate limit keeps the next percentage
 * out of reach. Never rejects.
 */
export async function reachesAlert(
  { accountId, period, quota }: Watched,
  { requestsPerMinute }: Pick<Plan, "requestsPerMinute">,
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
): Promise<boolean> {
  if (optionalVariable("QUOTA_ALERT_QUEUE_URL") === undefined) return false;
  const key = `${accountId} ${period.start} ${quota.name} ${quota.limit}`;
  const now = Date.now();
  if (now < (nextReads.get(key) ?? 0)) return false;
  try {
    const missing = capturesUntilAlert(quota, await readPeriodUse(USAGE_TABLE, accountId, period));
    if (missing !== undefined && missing <= 1) return true;
    const pauseMs = missing === undefined ? MAX_PAUSE_MS : ((missing - 1) / requestsPerMinute) * MINUTE_MS;
    if (nextReads.size >= MAX_REMEMBERED) nextReads.clear();
    nextReads.set(key, now + Math.min(MAX_PAUSE_MS, pauseMs));
  } catch (error) {
    logError("quota not read for an alert", error);
  }
  return false;
}

/** Queues a check of an account's quotas, which sends what is due. Never rejects: a capture doesn't fail by an alert. */
export async function queueQuotaAlert(accountId: number): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl === undefined) return;
  await sendForAccount(queueUrl, { account_id: accountId }).catch((error) => logError("quota alert not queued", error));
}
