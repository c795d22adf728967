// Schedules a check of an account's quotas for alerts, a while after a capture. Another function checks: those with Chromium can't read
// what accounts have used.
import { INTERNAL_ACCOUNT_ID } from "../account/internal-account.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";

/** More accounts than one function serves within minutes; beyond that, all are checked again. */
const MAX_REMEMBERED = 1_000;

/** By account: when its next check is, in milliseconds since 1970. */
const nextChecks = new Map<number, number>();

/**
 * Queues a check of an account's quotas, unless this function has queued one that is still to come: the message is delayed, so
 * that one check covers all captures until then. Does nothing where no mail is configured. Call it once a capture is recorded
 * and answered. Never rejects.
 */
export async function watchQuota(accountId: number): Promise<void> {
  if (accountId === INTERNAL_ACCOUNT_ID) return;
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  const delaySeconds = optionalVariable("QUOTA_ALERT_DELAY_SECONDS");
  const now = Date.now();
  if (queueUrl === undefined || delaySeconds === undefined || now < (nextChecks.get(accountId) ?? 0)) return;
  if (nextChecks.size >= MAX_REMEMBERED) nextChecks.clear();
  nextChecks.set(accountId, now + delaySeconds * 1000);
  try {
    await sendForAccount(queueUrl, { account_id: accountId }, { delaySeconds });
  } catch (error) {
    nextChecks.delete(accountId);
    logError("check of quotas not queued", error, { account_id: accountId });
  }
}
