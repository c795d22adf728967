// Watches quotas after captures: it reads what an account has used only when the next alert can be near, and queues a message
// for the function that sends mail.
import { sendForAccount } from "../aws/account-queue.ts";
import { readPeriodUse } from "../billing/period-store.ts";
import { type PlanName, plans } from "../billing/plans.ts";
import type { Allowance } from "../billing/quota.ts";
import { capturesUntilAlert } from "../billing/quota-alerts.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";

/** No read is trusted for longer, since asynchronous captures that were queued before it finish after it. */
const MAX_PAUSE_MS = 10 * 60 * 1000;
const MINUTE_MS = 60_000;

/** More accounts than one function serves within minutes; beyond that, all are read again. */
const MAX_REMEMBERED = 1_000;

/** By account, period, and quota: when to read again, in milliseconds since 1970. */
const nextReads = new Map<string, number>();

/**
 * Queues a quota alert if an account has reached a percentage of which its owner was not told. Does nothing where no mail is
 * configured, and reads nothing while the account's rate limit keeps the next percentage out of reach. Call it once a capture
 * is recorded and answered. Never rejects.
 */
export async function watchQuota(
  { accountId, period, quota }: Pick<Allowance, "accountId" | "period" | "quota">,
  plan: PlanName,
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  const key = `${accountId} ${period.start} ${quota.name} ${quota.limit}`;
  const now = Date.now();
  if (queueUrl === undefined || now < (nextReads.get(key) ?? 0)) return;
  try {
    const missing = capturesUntilAlert(quota, await readPeriodUse(USAGE_TABLE, accountId, period));
    if (missing === 0) return await sendForAccount(queueUrl, { account_id: accountId });
    const pauseMs = missing === undefined ? MAX_PAUSE_MS : (missing / plans[plan].requestsPerMinute) * MINUTE_MS;
    if (nextReads.size >= MAX_REMEMBERED) nextReads.clear();
    nextReads.set(key, now + Math.min(MAX_PAUSE_MS, pauseMs));
  } catch (error) {
    logError("quota not watched", error, { account_id: accountId });
  }
}
