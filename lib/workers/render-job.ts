// A message that asks for a capture in the background: it is taken by one function at a time, and has one outcome,
// whatever is killed or comes twice.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
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
import type { QueueMessage } from "./queue-handler.ts";
import { recordFailure } from "./record-job.ts";
import { type HeldJob, type Rendering, renderJobCapture } from "./take-job-capture.ts";

/**
 * Takes the capture of a message, unless its job is over or somebody else's at the moment. Resolves to the seconds after
 * which the message is to come again, or to undefined when it is done with. One that is no message, or of no job, comes
 * again until it is a dead letter.
 */
export async function renderJob(message: QueueMessage, rendering: Rendering): Promise<number | undefined> {
  const parsed = parseJobMessage(message.body);
  if (!parsed) {
    logError("message is no job", new Error("The body of the message is not one of a job."));
    return 0;
  }
  const ids = { account_id: parsed.account_id, id: parsed.job_id };
  const { leaseMs = LEASE_MS } = rendering;
  const lease = { holder: randomUUID(), until: Date.now() + leaseMs };
  const { state, job } = await claimSoon(rendering.places.ACTIVITY_TABLE, ids, lease);
  if (state === "missing") throw new Error(`There is no job ${ids.id} of account ${ids.account_id}.`);
  if (state === "held") {
    // Whoever holds it may have been killed, and this message does not come again after its last time.
    if (job.lease && message.receives >= MAX_RENDER_RECEIVES) await orderWatch(job, job.lease, rendering);
    return secondsUntil(job.lease?.until ?? 0);
  }
  if (state === "ours") {
    await message.hide(secondsUntil(lease.until));
    const take = () => takeJob({ job, lease, message: parsed }, message.receives, rendering);
    const giveBack = () => giveBackAtShutdown(job, lease, message.receives, rendering);
    const beat = () => extend(job, { holder: lease.holder, until: Date.now() + leaseMs }, message, rendering);
    const again = await withHeartbeat(() => untilShutdown(take, giveBack), beat, leaseMs / BEATS_PER_LEASE);
    if (again !== undefined) return again;
  }
  await Promise.all([orderWebhook(job, rendering), deleteOptions(parsed, rendering)]);
  return undefined;
}

/**
 * How long a job is held without a heartbeat, in milliseconds: a function that was killed is missed when its last lease is
 * over. Its message is hidden for as long, which each heartbeat extends, too; a lease that lasted as long as the function
 * may run would keep the job waiting for two minutes. Most captures end before the first heartbeat.
 */
const LEASE_MS = 40_000;
const BEATS_PER_LEASE = 3;

/** Extends the lease of a job and hides its message for as long; never rejects, for the next heartbeat may succeed. */
async function extend(job: Job, lease: Lease, { hide }: QueueMessage, { places }: Rendering): Promise<void> {
  try {
    const isHeld = await renewJobLease(places.ACTIVITY_TABLE, job, lease);
    if (isHeld) await hide(secondsUntil(lease.until)); // the message is visible only after the lease is over
  } catch (error) {
    logError("heartbeat failed", error, { account_id: job.account_id, job_id: job.id });
  }
}

/**
 * Gives a job back whose function is asked to end. Resolves to the seconds after which its message is to come again: at
 * once, or when its lease is over where that was its last time, because then the watch ends the job.
 */
async function giveBackAtShutdown(job: Job, lease: Lease, receives: number, { places }: Rendering): Promise<number> {
  if (receives >= MAX_RENDER_RECEIVES) return secondsUntil(lease.until);
  await releaseJob(places.ACTIVITY_TABLE, job, lease.holder);
  return 0;
}

function secondsUntil(time: number): number {
  return Math.max(1, Math.ceil((time - Date.now()) / 1000));
}

/** A job is stored before its message is sent, and is found even if that were ever otherwise. */
const MISSED_MS = 2_000;
const LOOKS = 8;

async function claimSoon(table: string, ids: JobIds, lease: Lease): Promise<Claim> {
  for (let look = 1; ; look++) {
    const claim = await claimJob(table, ids, { lease, now: Date.now() });
    if (claim.state !== "missing" || look === LOOKS) return claim;
    await pause(MISSED_MS / LOOKS);
  }
}

/** Seconds between a try that failed by a fault of ours and the next one. */
const RETRIES_S = [5, 30];

/** Resolves to undefined when the job is over, otherwise to the seconds after which its message is to come again. */
async function takeJob(held: HeldJob, receives: number, rendering: Rendering): Promise<number | undefined> {
  const { job, lease } = held;
  const { ACTIVITY_TABLE } = rendering.places;
  const isLast = receives >= MAX_RENDER_RECEIVES;
  const startedAt = performance.now();
  if (isLast) await orderWatch(job, lease, rendering);
  try {
    await renderJobCapture(held, rendering);
    return undefined;
  } catch (error) {
    if (error instanceof NotRecordedError) return undefined; // somebody else has told its outcome
    logError("job failed", error, { account_id: job.account_id, job_id: job.id, receives });
    if (!isLast) {
      await releaseJob(ACTIVITY_TABLE, job, lease.holder);
      return RETRIES_S[receives - 1] ?? 0;
    }
    // Where not even its failure can be recorded, the watch will see to that.
    await failJob(held, { error, responseTimeMs: Math.round(performance.now() - startedAt) }, rendering);
    await orderWebhook(job, rendering);
    return 0; // as a dead letter
  }
}

async function failJob(
  { job, lease }: HeldJob,
  { error, responseTimeMs }: { readonly error: unknown; readonly responseTimeMs: number },
  { places }: Rendering,
): Promise<void> {
  const end = (outcome: JobOutcome) =>
    finishWrite(places.ACTIVITY_TABLE, job, { holder: lease.holder, now: Date.now(), outcome });
  const told = error instanceof ApiError ? error : internalError(error);
  await recordFailure(job, { error: told, responseTimeMs, update: end }, places).catch((failure) => {
    if (!(failure instanceof NotRecordedError)) throw failure;
  });
}

/** Somebody looks at the job when its lease is over, and again as long as that is extended. */
async function orderWatch({ account_id, id }: Job, { until }: Lease, { places }: Rendering): Promise<void> {
  const order = { kind: "watch", account_id, job_id: id } as const;
  await enqueueDelivery(places.WEBHOOK_QUEUE_URL, order, { delaySeconds: secondsUntil(until) });
}

/** Has the outcome of a job told, unless that has been done. Asked for twice, it is told once all the same. */
async function orderWebhook(job: Job, { places }: Rendering): Promise<void> {
  const ended = job.webhook && (await findJob(places.ACTIVITY_TABLE, job, Date.now()));
  if (!ended || !hasPendingWebhook(ended)) return;
  const { account_id, id: job_id } = job;
  await enqueueDelivery(places.WEBHOOK_QUEUE_URL, { kind: "deliver", account_id, job_id });
}

async function deleteOptions({ options }: JobMessage, { places }: Rendering): Promise<void> {
  if ("object" in options) await deleteResult(places.RESULTS_BUCKET, options.object);
}
