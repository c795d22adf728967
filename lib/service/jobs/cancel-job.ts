// Cancels an asynchronous capture: ends a job that waits, and marks one that a worker holds, which polls for the mark.

import { ApiError } from "../../contract/errors/api-error.ts";
import { transactRequired } from "../aws/transaction.ts";
import { reserveCancellation } from "../billing/quota-reservation.ts";
import { settleFree } from "../billing/quota-store.ts";
import type { Environment } from "../platform/environment.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { cancelledError } from "./cancelled-error.ts";
import { hasEnded, isWaiting, type Job, pendingCaptures } from "./job.ts";
import { commitJob, failedOutcome, jobOutcome } from "./job-commit.ts";
import { findJob, requestCancellation } from "./job-store.ts";
import { commitWrite } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

type CancelResources = Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">;

/**
 * Cancels a job. One that no worker holds ends at once. One that a worker holds is marked, once, and cannot succeed any more. One that
 * has ended stays as it is. Resolves to the job as it is then. Throws `CONFLICT` for one whose result is being delivered to the
 * customer's storage, and `FREE_FAILURES_USED`.
 */
export async function cancelJob(requested: Job, env: CancelResources): Promise<Job> {
  let job = requested;
  while (!hasEnded(job)) {
    if (job.delivery_started_at !== null) throw deliveryStarted();
    const now = Date.now();
    if (isWaiting(job, now)) {
      await cancelWaitingJob(job, env, now);
    } else {
      const marked = await markJob(job, env, now);
      if (marked) return marked;
    }
    const stored = await findJob(env.ACTIVITY_TABLE, job, now);
    if (!stored) return job; // its account is being deleted
    job = stored;
  }
  return job;
}

function deliveryStarted(): ApiError {
  return new ApiError(
    "CONFLICT",
    "The capture can't be cancelled any more: it is being uploaded to your bucket. It ends within a minute; delete its result then if you " +
      "don't need it.",
  );
}

/**
 * Marks a job that a worker holds. The worker counts it as a free failure: one is reserved first, or one for each output that has
 * not ended. Throws `FREE_FAILURES_USED`.
 */
async function markJob(job: Job, env: CancelResources, now: number): Promise<Job | undefined> {
  if (job.cancel_requested_at !== null) return job;
  await using reserved = new AsyncDisposableStack();
  for (const { allowance } of pendingCaptures(job)) reserved.use(await reserveCancellation(allowance, env));
  const marked = await requestCancellation(env.ACTIVITY_TABLE, job, { now, by: "account" });
  if (marked) reserved.move();
  return marked;
}

/**
 * Ends a job that no worker holds as failed with `CANCELLED`, at `now` (milliseconds since 1970): its outputs one after the other, since
 * their quota is counted in the same items, each in one transaction with its quota, and the last one with the job and its slot. It has no
 * log, because nothing runs. Stops when a worker has claimed the job meanwhile, or it has ended.
 */
async function cancelWaitingJob(job: Job, env: CancelResources, now: number): Promise<void> {
  const { ACTIVITY_TABLE, USAGE_TABLE } = env;
  const when = job.attempts === 0 ? "before it began" : "while it waited for another attempt";
  const error = cancelledError(job, when);
  const pending = pendingCaptures(job);
  const slot = releaseSlotWrites(USAGE_TABLE, job);
  for (const { index, requestId, allowance } of pending) {
    const isLast = index === pending.at(-1)?.index;
    const ended = isLast ? jobOutcome(job, [], { error, responseTimeMs: null }) : undefined;
    const output = { index, loads: job.loads, outcome: failedOutcome(error, requestId) };
    const Update = commitWrite(ACTIVITY_TABLE, job, { by: "waiting", now, output, job: ended });
    const settlement = settleFree(USAGE_TABLE, allowance).items.map(({ write }) => write);
    if (!(await transactRequired({ Update }, [...settlement, ...(isLast ? slot : [])]))) return;
  }
  if (pending.length > 0) return;
  try {
    await commitJob(job, { by: "waiting", error, responseTimeMs: null }, env);
  } catch (thrown) {
    if (!(thrown instanceof NotRecordedError)) throw thrown;
  }
}
