// Renders the job of a queue message: one worker at a time claims it under a lease, and it ends once, even when a message
// is delivered twice or a worker dies.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { recordJobFailure } from "../captures/record.ts";
import { ApiError, internalError } from "../errors/api-error.ts";
import { hasPendingWebhook, type Job, type JobIds } from "../jobs/job.ts";
import { type JobMessage, MAX_RENDER_RECEIVES, parseJobMessage } from "../jobs/job-queue.ts";
import { type Claim, claimJob, findJob, releaseJob, renewJobLease } from "../jobs/job-store.ts";
import { finishWrite, type JobOutcome, type Lease } from "../jobs/job-writes.ts";
import { withHeartbeat } from "../platform/heartbeat.ts";
import { logError } from "../platform/log.ts";
import { untilShutdown } from "../platform/shutdown.ts";
import { deleteResult } from "../results/result-store.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { enqueueDelivery } from "../webhooks/webhook-queue.ts";
import { type ClaimedMessage, createJobCapture, type Rendering } from "./job-capture.ts";
import type { QueueMessage } from "./queue-handler.ts";

/**
 * Renders the job of a message, unless it has ended or another worker holds it. Resolves to the seconds after which the
 * message is to be delivered again, or to undefined when it is finished. A body that is no job message is delivered again
 * until it is a dead letter; so is one without a job, for which this throws.
 */
export async function renderJob(message: QueueMessage, rendering: Rendering): Promise<number | undefined> {
  const parsed = parseJobMessage(message.body);
  if (!parsed) {
    logError("message is no job", new Error("The body is not a job message."));
    return 0;
  }
  const ids = { account_id: parsed.account_id, id: parsed.job_id };
  const lease = { holder: randomUUID(), until: Date.now() + (rendering.leaseMs ?? LEASE_MS) };
  const claiming = claimWithRetries(rendering.env.ACTIVITY_TABLE, ids, lease);
  const work = async () => {
    const { state, job } = await claiming;
    if (state === "missing") throw new Error(`There is no job ${ids.id} of account ${ids.account_id}.`);
    return renderClaimed({ state, job, lease, message: parsed }, message, rendering);
  };
  const release = async () => {
    const { state, job } = await claiming; // one that is acquired after the shutdown would hold the job until it expires
    return state === "ours" ? releaseAtShutdown(job, lease, message.receives, rendering) : 0;
  };
  return untilShutdown(work, release);
}

async function renderClaimed(
  { state, ...claimed }: ClaimedMessage & Pick<Claim, "state">,
  message: QueueMessage,
  rendering: Rendering,
): Promise<number | undefined> {
  const { job, lease } = claimed;
  const { leaseMs = LEASE_MS } = rendering;
  if (state === "held") {
    // The worker that holds it may have died, and this message is not delivered again after its last time.
    if (job.lease && message.receives >= MAX_RENDER_RECEIVES) await scheduleAbandonedCheck(job, job.lease, rendering);
    return secondsUntil(job.lease?.until ?? 0);
  }
  if (state === "ours") {
    await message.hide(secondsUntil(lease.until));
    const attempt = () => attemptJob(claimed, message.receives, rendering);
    const beat = () => extendLease(job, { holder: lease.holder, until: Date.now() + leaseMs }, message, rendering);
    const retryAfter = await withHeartbeat(attempt, beat, leaseMs / BEATS_PER_LEASE);
    if (retryAfter !== undefined) return retryAfter;
  }
  await Promise.all([enqueueWebhook(job, rendering), deleteOptions(claimed.message, rendering)]);
  return undefined;
}

/**
 * Milliseconds for which a job is held without a heartbeat: the job of a worker that died is free again when its lease
 * expires. Its message is invisible for as long, which each heartbeat extends as well. A lease as long as the function may
 * run would keep the job waiting for two minutes. Most captures end before the first heartbeat.
 */
const LEASE_MS = 40_000;
const BEATS_PER_LEASE = 3;

/** Extends the lease of a job and the visibility timeout of its message. Never rejects: the next heartbeat may succeed. */
async function extendLease(job: Job, lease: Lease, { hide }: QueueMessage, { env }: Rendering): Promise<void> {
  try {
    const isHeld = await renewJobLease(env.ACTIVITY_TABLE, job, lease);
    if (isHeld) await hide(secondsUntil(lease.until)); // the message is visible only after the lease is over
  } catch (error) {
    logError("heartbeat failed", error, { account_id: job.account_id, job_id: job.id });
  }
}

/**
 * Releases a job at shutdown. Resolves to the seconds after which its message is to be delivered again: at once, or after
 * the lease when this was its last delivery, because then the check for abandoned jobs ends the job.
 */
async function releaseAtShutdown(job: Job, lease: Lease, receives: number, { env }: Rendering): Promise<number> {
  if (receives >= MAX_RENDER_RECEIVES) return secondsUntil(lease.until);
  await releaseJob(env.ACTIVITY_TABLE, job, lease.holder);
  return 0;
}

function secondsUntil(time: number): number {
  return Math.max(1, Math.ceil((time - Date.now()) / 1000));
}

/** A job is stored before its message is sent. It is looked for several times even so, within this time. */
const MISSING_JOB_MS = 2_000;
const MAX_CLAIMS = 8;

async function claimWithRetries(table: string, ids: JobIds, lease: Lease): Promise<Claim> {
  for (let count = 1; ; count++) {
    const claim = await claimJob(table, ids, { lease, now: Date.now() });
    if (claim.state !== "missing" || count === MAX_CLAIMS) return claim;
    await pause(MISSING_JOB_MS / MAX_CLAIMS);
  }
}

/** Seconds from an attempt that failed by our fault to the next one. */
const RETRY_DELAYS_S = [5, 30];

/** Resolves to undefined when the job has ended, otherwise to the seconds after which its message is delivered again. */
async function attemptJob(
  claimed: ClaimedMessage,
  receives: number,
  rendering: Rendering,
): Promise<number | undefined> {
  const { job, lease } = claimed;
  const { ACTIVITY_TABLE } = rendering.env;
  const isLast = receives >= MAX_RENDER_RECEIVES;
  const startedAt = performance.now();
  if (isLast) await scheduleAbandonedCheck(job, lease, rendering);
  try {
    await createJobCapture(claimed, rendering);
    return undefined;
  } catch (error) {
    if (error instanceof NotRecordedError) return undefined; // another worker has ended it
    logError("job failed", error, { account_id: job.account_id, job_id: job.id, receives });
    if (!isLast) {
      await releaseJob(ACTIVITY_TABLE, job, lease.holder);
      return RETRY_DELAYS_S[receives - 1] ?? 0;
    }
    // If not even its failure can be recorded, the check for abandoned jobs does that.
    await failJob(claimed, { error, responseTimeMs: Math.round(performance.now() - startedAt) }, rendering);
    await enqueueWebhook(job, rendering);
    return 0; // becomes a dead letter
  }
}

async function failJob(
  { job, lease }: ClaimedMessage,
  { error, responseTimeMs }: { readonly error: unknown; readonly responseTimeMs: number },
  { env }: Rendering,
): Promise<void> {
  const update = (outcome: JobOutcome) =>
    finishWrite(env.ACTIVITY_TABLE, job, { holder: lease.holder, now: Date.now(), outcome });
  const apiError = error instanceof ApiError ? error : internalError(error);
  await recordJobFailure(job, { error: apiError, responseTimeMs, update }, env).catch((failure) => {
    if (!(failure instanceof NotRecordedError)) throw failure;
  });
}

/** Schedules a check whether the job is abandoned for the end of its lease. It is repeated while the lease is extended. */
async function scheduleAbandonedCheck({ account_id, id }: Job, { until }: Lease, { env }: Rendering): Promise<void> {
  const check = { kind: "watch", account_id, job_id: id } as const;
  await enqueueDelivery(env.WEBHOOK_QUEUE_URL, check, { delaySeconds: secondsUntil(until) });
}

/** Enqueues the webhook of a job, unless it was delivered. Enqueued twice, it is delivered once all the same. */
async function enqueueWebhook(job: Job, { env }: Rendering): Promise<void> {
  const ended = job.webhook && (await findJob(env.ACTIVITY_TABLE, job, Date.now()));
  if (!ended || !hasPendingWebhook(ended)) return;
  const { account_id, id: job_id } = job;
  await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { kind: "deliver", account_id, job_id });
}

async function deleteOptions({ options }: JobMessage, { env }: Rendering): Promise<void> {
  if ("object" in options) await deleteResult(env.RESULTS_BUCKET, options.object);
}
