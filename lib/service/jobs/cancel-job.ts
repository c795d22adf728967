// Cancels an asynchronous capture: ends a job that waits, and marks one that a worker holds, which polls for the mark.

import { errorBody } from "../../contract/errors/api-error.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { settleFree } from "../billing/quota-store.ts";
import type { Environment } from "../platform/environment.ts";
import { cancelledError } from "./cancelled-error.ts";
import { hasEnded, isWaiting, type Job } from "./job.ts";
import { findJob, requestCancellation } from "./job-store.ts";
import { endWaitingWrite } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

type CancelResources = Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">;

/**
 * Cancels a job. One that no worker holds ends at once. One that a worker holds is marked, once, and cannot succeed any more. One that
 * has ended stays as it is. Resolves to the job as it is then.
 */
export async function cancelJob(requested: Job, env: CancelResources): Promise<Job> {
  let job = requested;
  while (!hasEnded(job)) {
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

async function markJob(job: Job, { ACTIVITY_TABLE }: CancelResources, now: number): Promise<Job | undefined> {
  return job.cancel_requested_at === null ? requestCancellation(ACTIVITY_TABLE, job, now) : job;
}

/**
 * Ends a job that no worker holds as failed with `CANCELLED`, at `now` (milliseconds since 1970), in one transaction with its quota and
 * its slot. It has no log, because nothing runs. Does nothing when a worker has claimed the job meanwhile, or it has ended.
 */
async function cancelWaitingJob(
  job: Job,
  { ACTIVITY_TABLE, USAGE_TABLE }: CancelResources,
  now: number,
): Promise<void> {
  const when = job.attempts === 0 ? "before it began" : "while it waited for another attempt";
  const error = errorBody(cancelledError(when), job.id);
  const outcome = { status: "failed", error, response_time_ms: null } as const;
  const end: Write = { Update: endWaitingWrite(ACTIVITY_TABLE, job, { now, outcome }) };
  const settlement = settleFree(USAGE_TABLE, job.request.allowance).items.map(({ write }) => write);
  let releases: readonly Write[] = [...settlement, ...releaseSlotWrites(USAGE_TABLE, job)];
  for (;;) {
    try {
      return await transact([end, ...releases]);
    } catch (thrown) {
      const failed = failedCondition(thrown);
      if (!failed) throw thrown;
      if (failed.index === 0) return;
      releases = releases.filter((_, index) => index !== failed.index - 1); // it has expired meanwhile
    }
  }
}
