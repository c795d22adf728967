// What a suspension does to the asynchronous captures of an account: those that have not ended are ended, and the webhooks of those that
// have are sent once the account is resumed. A message handles a part of them, newest first, and queues the next one.

import { suspendedMeanwhile } from "../account/suspended-error.ts";
import { isAccountSuspended } from "../account/suspension.ts";
import { queueSuspensionNotice } from "../account/suspension-notice.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import type { Environment } from "../platform/environment.ts";
import { idTime } from "../platform/ids.ts";
import { inOrder } from "../platform/in-order.ts";
import { DAY_MS } from "../usage/day.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { type AccountRequest, enqueueAccountRequest, enqueueWebhook } from "../webhooks/webhook-queue.ts";
import { billedNote } from "./cancelled-error.ts";
import { hasEnded, hasPendingWebhook, isWaiting, JOB_RETENTION_DAYS, type Job } from "./job.ts";
import { readJobsBefore } from "./job-list.ts";
import { findJob, requestCancellation } from "./job-store.ts";
import { QUEUED_RENDER_DAYS } from "./message-retention.ts";

type AccountJobResources = Omit<CaptureResources, "RESULTS_BUCKET"> &
  Pick<Environment, "ACCOUNTS_TABLE" | "WEBHOOK_QUEUE_URL">;

/** Handles a part of the jobs of an account. Does nothing once its state has changed again. */
export async function handleAccountRequest(request: AccountRequest, env: AccountJobResources): Promise<void> {
  const { kind, account_id: accountId, before = Number.MAX_SAFE_INTEGER } = request;
  const isSuspended = await isAccountSuspended(env.ACCOUNTS_TABLE, accountId);
  if (isSuspended !== (kind === "end_jobs")) return;
  if (request.before === undefined) {
    await queueSuspensionNotice(accountId, { state: isSuspended ? "suspended" : "resumed" });
  }
  const jobs = await readJobsBefore(env.ACTIVITY_TABLE, accountId, before);
  await inOrder(jobs, kind === "end_jobs" ? (job) => endJob(job, env) : (job) => sendWaitingWebhook(job, env));
  const oldest = jobs.at(-1);
  const days = kind === "end_jobs" ? QUEUED_RENDER_DAYS : JOB_RETENTION_DAYS;
  if (!oldest || idTime(oldest.id) < Date.now() - days * DAY_MS) return;
  await enqueueAccountRequest(env.WEBHOOK_QUEUE_URL, { ...request, before: oldest.id });
}

/**
 * Ends a job: one that no worker holds fails at once, and one that a worker holds is marked, which ends it within seconds. Neither is
 * billed. A job that is claimed or released at this moment is looked at again.
 */
async function endJob(found: Job, env: AccountJobResources): Promise<void> {
  let job: Job | undefined = found;
  while (job && !hasEnded(job)) {
    const now = Date.now();
    if (isWaiting(job, now)) {
      await failWaitingJob(job, env);
    } else {
      if (job.cancel_requested_at !== null) return;
      if (await requestCancellation(env.ACTIVITY_TABLE, job, { now, by: "operator" })) return;
      if (job.delivery_started_at !== null) return; // it can't succeed, because its account is suspended
    }
    job = await findJob(env.ACTIVITY_TABLE, job, now);
  }
  if (job && hasPendingWebhook(job)) await enqueueWebhook(env.WEBHOOK_QUEUE_URL, job);
}

async function failWaitingJob(job: Job, env: AccountJobResources): Promise<void> {
  const { commitJobFailure } = await import("./commit-job-failure.ts"); // rarely needed, and slow to load
  const failure = { error: suspendedMeanwhile(billedNote(job)), responseTimeMs: 0, by: "waiting" } as const;
  await commitJobFailure(job, failure, env).catch((error) => {
    if (!(error instanceof NotRecordedError)) throw error; // a worker has claimed it
  });
}

async function sendWaitingWebhook(job: Job, { WEBHOOK_QUEUE_URL }: AccountJobResources): Promise<void> {
  if (hasPendingWebhook(job)) await enqueueWebhook(WEBHOOK_QUEUE_URL, job);
}
