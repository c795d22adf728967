// Renders the job of a queue message: one worker at a time claims it under a lease, and it ends once, even when a message
// is delivered twice or a worker dies.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { toApiError } from "../../contract/errors/api-error.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { QueueMessage } from "../aws/queue-handler.ts";
import { watchQuota } from "../billing/quota-watch.ts";
import { withHeartbeat } from "../platform/heartbeat.ts";
import { logError, logInfo } from "../platform/log.ts";
import { withLogContext } from "../platform/log-context.ts";
import { untilShutdown } from "../platform/shutdown.ts";
import { deleteResult } from "../results/result-store.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { enqueueDelivery, enqueueWebhook } from "../webhooks/webhook-queue.ts";
import { interruptedError } from "./abandoned-jobs.ts";
import { cancelledError } from "./cancelled-error.ts";
import { commitJobFailure } from "./commit-job-failure.ts";
import { hasFailedByFault, hasPendingWebhook, type Job, type JobIds, MAX_JOB_ATTEMPTS } from "./job.ts";
import { type ClaimedMessage, createJobCaptures, type JobRendering } from "./job-capture.ts";
import { BEATS_PER_LEASE, LEASE_MS } from "./job-lease.ts";
import { type JobMessage, parseJobMessage, storeFailedMessage } from "./job-queue.ts";
import { type Claim, claimJob, findJob, releaseJob, renewJobLease } from "./job-store.ts";
import type { JobLease } from "./job-writes.ts";
import { watchCancellation } from "./watch-cancellation.ts";

/**
 * Renders the job of a message, unless it has ended or another worker holds it. Resolves to the seconds after which the
 * message is to be delivered again, or to undefined when it is finished. A body that is no job message is stored for the
 * operator. One without a job is dropped with its options: its account was deleted.
 */
export async function renderJob(message: QueueMessage, rendering: JobRendering): Promise<number | undefined> {
  const parsed = parseJobMessage(message.body);
  if (!parsed) {
    logError("message is no job", new Error("The body is not a job message."));
    await storeFailedMessage(rendering.env.FAILED_RENDER_QUEUE_URL, message.body);
    return undefined;
  }
  const { account_id, job_id } = parsed;
  return withLogContext({ account_id, job_id }, () => renderParsed(parsed, message, rendering));
}

async function renderParsed(
  parsed: JobMessage,
  message: QueueMessage,
  rendering: JobRendering,
): Promise<number | undefined> {
  const ids = { account_id: parsed.account_id, id: parsed.job_id };
  const lease = { holder: randomUUID(), until: Date.now() + (rendering.leaseMs ?? LEASE_MS) };
  const claiming = claimWithRetries(rendering.env.ACTIVITY_TABLE, ids, lease);
  const work = async () => {
    const { state, job } = await claiming;
    if (state === "missing") return dropMessage(parsed, rendering);
    return renderClaimed({ state, job, lease, message: parsed, clock: new PhaseClock() }, message, rendering);
  };
  const release = async () => {
    const { state, job } = await claiming; // one that is acquired after the shutdown would hold the job until it expires
    if (state === "ours")
      await releaseJob(rendering.env.ACTIVITY_TABLE, job, { holder: lease.holder, isInterrupted: true });
    return 0;
  };
  return untilShutdown(work, release);
}

async function renderClaimed(
  { state, ...claimed }: ClaimedMessage & Pick<Claim, "state">,
  message: QueueMessage,
  rendering: JobRendering,
): Promise<number | undefined> {
  const { job, lease, clock } = claimed;
  const { leaseMs = LEASE_MS } = rendering;
  if (state === "held") return secondsUntil(job.lease?.until ?? 0);
  // The worker that failed it may have been killed before it stored the message. Stored twice, the job is captured again only once.
  if (state === "over" && hasFailedByFault(job)) return storeForOperator(job, message, rendering);
  if (state === "ours") {
    await message.hide(secondsUntil(lease.until));
    const jobAttempt = () => attemptJob(claimed, rendering);
    const beat = () => {
      const { current: phase } = clock;
      const extended = { holder: lease.holder, until: Date.now() + leaseMs, ...(phase !== "auth" && { phase }) };
      return extendLease(job, extended, message, rendering);
    };
    const outcome = await withHeartbeat(jobAttempt, beat, leaseMs / BEATS_PER_LEASE);
    if (outcome === "failed") return storeForOperator(job, message, rendering);
    if (outcome !== "over") return outcome.retryAfterSeconds;
    await watchQuota(job.account_id);
  }
  await Promise.all([queueWebhook(job, rendering), deleteOptions(claimed.message, rendering)]);
  return undefined;
}

/** Extends the lease of a job and the visibility timeout of its message. Never rejects: the next heartbeat may succeed. */
async function extendLease(job: Job, lease: JobLease, { hide }: QueueMessage, { env }: JobRendering): Promise<void> {
  try {
    const isHeld = await renewJobLease(env.ACTIVITY_TABLE, job, lease);
    if (isHeld) await hide(secondsUntil(lease.until)); // the message is visible only after the lease is over
  } catch (error) {
    logError("heartbeat failed", error);
  }
}

function secondsUntil(time: number): number {
  return Math.max(1, Math.ceil((time - Date.now()) / 1000));
}

/** A job is stored before its message is sent. It is looked for several times even so, within this time. */
const MISSING_JOB_MS = 2_000;
const MAX_CLAIMS = 8;

async function claimWithRetries(table: string, ids: JobIds, lease: JobLease): Promise<Claim> {
  for (let count = 1; ; count++) {
    const claim = await claimJob(table, ids, { lease, now: Date.now() });
    if (claim.state !== "missing" || count === MAX_CLAIMS) return claim;
    await pause(MISSING_JOB_MS / MAX_CLAIMS);
  }
}

/** Seconds from an attempt that failed by our fault to the next one. */
const RETRY_DELAYS_S = [5, 30];

/** The job is over, has failed by our fault for the last time, or its message is to be delivered again. */
type JobAttemptOutcome = "over" | "failed" | { readonly retryAfterSeconds: number };

async function attemptJob(claimed: ClaimedMessage, rendering: JobRendering): Promise<JobAttemptOutcome> {
  const { job, lease } = claimed;
  const { attempts } = job;
  const startedAt = performance.now();
  if (job.cancel_requested_at !== null) {
    await failJob(claimed, { error: cancelledError(job), responseTimeMs: 0 }, rendering);
    return "over";
  }
  // The worker of the last attempt died, and its message came before the check for abandoned jobs.
  if (attempts > MAX_JOB_ATTEMPTS)
    return failJob(claimed, { error: interruptedError(job), responseTimeMs: 0 }, rendering);
  const isLast = attempts === MAX_JOB_ATTEMPTS;
  if (isLast) await scheduleAbandonedCheck(job, lease, rendering);
  try {
    const { ACTIVITY_TABLE } = rendering.env;
    await watchCancellation(ACTIVITY_TABLE, job, (signal) => createJobCaptures(claimed, signal, rendering));
    return "over";
  } catch (error) {
    if (error instanceof NotRecordedError) return "over"; // another worker has ended it
    logError("job failed", error, { attempts });
    // If not even its failure can be recorded, the check for abandoned jobs does that.
    if (isLast)
      return failJob(claimed, { error, responseTimeMs: Math.round(performance.now() - startedAt) }, rendering);
    const release = { holder: lease.holder, isInterrupted: false };
    const released = await releaseJob(rendering.env.ACTIVITY_TABLE, job, release);
    const isCancelled = released !== undefined && released.cancel_requested_at !== null; // which the next attempt records at once
    return { retryAfterSeconds: isCancelled ? 0 : (RETRY_DELAYS_S[attempts - 1] ?? 0) };
  }
}

async function failJob(
  { job, lease }: ClaimedMessage,
  { error, responseTimeMs }: { readonly error: unknown; readonly responseTimeMs: number },
  { env }: JobRendering,
): Promise<"failed"> {
  const by = { holder: lease.holder };
  const apiError = toApiError(error);
  await commitJobFailure(job, { error: apiError, responseTimeMs, by }, env).catch((failure) => {
    if (!(failure instanceof NotRecordedError)) throw failure;
  });
  return "failed";
}

/** Queues the webhook of a failed job, and keeps its message and its options: the operator can have it rendered again. */
async function storeForOperator(job: Job, { body }: QueueMessage, rendering: JobRendering): Promise<undefined> {
  await queueWebhook(job, rendering);
  await storeFailedMessage(rendering.env.FAILED_RENDER_QUEUE_URL, body);
}

/** Schedules a check whether the job is abandoned for the end of its lease. It is repeated while the lease is extended. */
async function scheduleAbandonedCheck(
  { account_id, id }: Job,
  { until }: JobLease,
  { env }: JobRendering,
): Promise<void> {
  const check = { kind: "watch", account_id, job_id: id } as const;
  await enqueueDelivery(env.WEBHOOK_QUEUE_URL, check, { delaySeconds: secondsUntil(until) });
}

/** Queues the webhook of a job, unless it was delivered. */
async function queueWebhook(job: Job, { env }: JobRendering): Promise<void> {
  const ended = job.webhook && (await findJob(env.ACTIVITY_TABLE, job, Date.now()));
  if (ended && hasPendingWebhook(ended)) await enqueueWebhook(env.WEBHOOK_QUEUE_URL, ended);
}

async function dropMessage(message: JobMessage, rendering: JobRendering): Promise<undefined> {
  logInfo("message has no job");
  await deleteOptions(message, rendering);
}

async function deleteOptions({ options }: JobMessage, { env }: JobRendering): Promise<void> {
  if ("object" in options) await deleteResult(env.RESULTS_BUCKET, options.object);
}
