// A message that asks for a capture in the background: it is taken by one function at a time, and has one outcome,
// whatever is killed or comes twice.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError, internalError } from "../contract/errors.ts";
import { type Job, type JobIds, owesWebhook } from "../jobs/job.ts";
import { type JobMessage, parseJobMessage, RENDER_RECEIVES } from "../jobs/job-message.ts";
import { type Claim, claimJob, findJob, giveBackJob } from "../jobs/job-store.ts";
import { finishing, type JobOutcome, type Lease } from "../jobs/job-writes.ts";
import { logError } from "../platform/log.ts";
import { deleteResult } from "../results/result-store.ts";
import { NotRecorded } from "../usage/usage-store.ts";
import { sendWebhookOrder } from "../webhooks/webhook-queue.ts";
import type { QueueMessage } from "./queue-handler.ts";
import { recordFailure } from "./record-job.ts";
import { type HeldJob, type Rendering, takeJobCapture } from "./take-job-capture.ts";

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
  const lease = leaseFor(message);
  const { state, job } = await claimSoon(rendering.places.ACTIVITY_TABLE, ids, lease);
  if (state === "missing") throw new Error(`There is no job ${ids.id} of account ${ids.account_id}.`);
  if (state === "held") {
    // Whoever holds it may have been killed, and this message does not come again after its last time.
    if (job.lease && message.receives >= RENDER_RECEIVES) await orderWatch(job, job.lease, rendering);
    return secondsUntil(job.lease?.until ?? 0);
  }
  if (state === "ours") {
    // A function that is killed is missed as soon as its lease is over.
    await message.hide(secondsUntil(lease.until));
    const again = await takeJob({ job, lease, message: parsed }, message.receives, rendering);
    if (again !== undefined) return again;
  }
  await Promise.all([orderWebhook(job, rendering), deleteOptions(parsed, rendering)]);
  return undefined;
}

/** It outlasts the function, so that two are never at the same job. */
const LEASE_MARGIN_MS = 10_000;

function leaseFor({ remainingMs }: QueueMessage): Lease {
  return { holder: randomUUID(), until: Date.now() + remainingMs() + LEASE_MARGIN_MS };
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
  const isLast = receives >= RENDER_RECEIVES;
  const startedAt = performance.now();
  if (isLast) await orderWatch(job, lease, rendering);
  try {
    await takeJobCapture(held, rendering);
    return undefined;
  } catch (error) {
    if (error instanceof NotRecorded) return undefined; // somebody else has told its outcome
    logError("job failed", error, { account_id: job.account_id, job_id: job.id, receives });
    if (!isLast) {
      await giveBackJob(ACTIVITY_TABLE, job, lease.holder);
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
    finishing(places.ACTIVITY_TABLE, job, { holder: lease.holder, now: Date.now(), outcome });
  const told = error instanceof ApiError ? error : internalError(error);
  await recordFailure(job, { error: told, responseTimeMs, update: end }, places).catch((failure) => {
    if (!(failure instanceof NotRecorded)) throw failure;
  });
}

/** Somebody looks at the job when the time of this function is over, which may have been killed by then. */
async function orderWatch({ account_id, id }: Job, { until }: Lease, { places }: Rendering): Promise<void> {
  const order = { kind: "watch", account_id, job_id: id } as const;
  await sendWebhookOrder(places.WEBHOOK_QUEUE_URL, order, { delaySeconds: secondsUntil(until) });
}

/** Has the outcome of a job told, unless that has been done. Asked for twice, it is told once all the same. */
async function orderWebhook(job: Job, { places }: Rendering): Promise<void> {
  const ended = job.webhook && (await findJob(places.ACTIVITY_TABLE, job, Date.now()));
  if (!ended || !owesWebhook(ended)) return;
  const { account_id, id: job_id } = job;
  await sendWebhookOrder(places.WEBHOOK_QUEUE_URL, { kind: "deliver", account_id, job_id });
}

async function deleteOptions({ options }: JobMessage, { places }: Rendering): Promise<void> {
  if ("object" in options) await deleteResult(places.RESULTS_BUCKET, options.object);
}
