// Fails the jobs whose messages are dead: they were received too often without reaching a worker, as when Lambda is throttled
// for hours.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import type { Environment } from "../platform/environment.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { enqueueWebhook } from "../webhooks/webhook-queue.ts";
import { billedNote, cancelledError } from "./cancelled-error.ts";
import { commitJobFailure } from "./commit-job-failure.ts";
import { hasEnded, hasFailedByFault, hasPendingWebhook, type Job } from "./job.ts";
import { parseJobMessage, storeFailedMessage } from "./job-queue.ts";
import { findJob } from "./job-store.ts";

type DeadJobResources = Omit<CaptureResources, "RESULTS_BUCKET"> &
  Pick<Environment, "WEBHOOK_QUEUE_URL" | "FAILED_RENDER_QUEUE_URL">;

/** Seconds until a job is looked at again that a worker claimed in this moment. */
const CLAIMED_RETRY_S = 60;

/**
 * Fails the job of a dead message: records the failure, releases the quota and the slot, queues the webhook, and stores the message for
 * the operator, unless the account was deleted. Resolves to undefined then, and to the seconds after which to try again while a worker
 * holds the job. The message of a job that has ended is stored if the job failed because of the service: the worker that recorded the
 * failure may have been killed before it stored the message.
 */
export async function failDeadJob(body: string, env: DeadJobResources): Promise<number | undefined> {
  const now = Date.now();
  const message = parseJobMessage(body);
  const job =
    message && (await findJob(env.ACTIVITY_TABLE, { account_id: message.account_id, id: message.job_id }, now));
  if (job?.status === "success") return undefined;
  if (job && !hasEnded(job)) {
    if (job.lease && job.lease.until > now) return Math.ceil((job.lease.until - now) / 1000);
    if (!(await recordDeadJob(job, env, now))) return CLAIMED_RETRY_S;
  }
  const ended = job && (await findJob(env.ACTIVITY_TABLE, job, now));
  if (ended && hasPendingWebhook(ended)) await enqueueWebhook(env.WEBHOOK_QUEUE_URL, ended);
  if (!message || (ended && hasFailedByFault(ended))) await storeFailedMessage(env.FAILED_RENDER_QUEUE_URL, body);
  return undefined;
}

/** Resolves to false when a worker has claimed the job after all. */
async function recordDeadJob(job: Job, env: DeadJobResources, now: number): Promise<boolean> {
  const text = `The capture could not be rendered: no worker was free for hours. ${billedNote(job)}`;
  const failure = {
    error: job.cancel_requested_at === null ? new ApiError("INTERNAL_ERROR", text) : cancelledError(job),
    responseTimeMs: Math.max(0, now - Date.parse(job.created_at)),
    by: "waiting",
  } as const;
  try {
    await commitJobFailure(job, failure, env);
    return true;
  } catch (error) {
    if (error instanceof NotRecordedError) return false;
    throw error;
  }
}
