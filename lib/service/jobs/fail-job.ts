// Fails a job: records the failure of each of its captures that has not ended.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureEnd } from "../captures/capture-end.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import { commit } from "../captures/commit.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { endOutputsJob } from "./end-outputs-job.ts";
import type { Job, JobIds } from "./job.ts";
import { type JobCapture, pendingCaptures } from "./job-captures.ts";
import { findJob } from "./job-store.ts";
import type { JobEnder } from "./job-writes.ts";

type FailureResources = Omit<CaptureResources, "RESULTS_BUCKET">;

export interface JobFailure {
  readonly error: ApiError;
  readonly responseTimeMs: number;
  readonly by: JobEnder;
}

/**
 * Records that a job failed: its capture, or each of its outputs that has not ended; those that have ended stay as they are. Throws
 * `NotRecordedError` when another worker holds or has ended it.
 */
export async function recordJobFailure(job: Job, failure: JobFailure, env: FailureResources): Promise<void> {
  if (job.request.outputs) return failOutputs(job, failure, env);
  for (const capture of pendingCaptures(job)) await commit(failedCapture(job, capture, failure), env);
}

async function failOutputs(ids: JobIds, failure: JobFailure, env: FailureResources): Promise<void> {
  let refused: number | undefined;
  for (;;) {
    const job = await findJob(env.ACTIVITY_TABLE, ids, Date.now());
    const [next] = job ? pendingCaptures(job) : [];
    if (!job || !next) break;
    if (next.requestId === refused) throw new NotRecordedError();
    try {
      await commit(failedCapture(job, next, failure), env);
    } catch (error) {
      if (!(error instanceof NotRecordedError)) throw error;
      refused = next.requestId; // unless its capture, which was cancelled, has just ended
    }
  }
  await endOutputsJob(ids, failure, env);
}

function failedCapture(
  job: Job,
  { output, ...capture }: JobCapture,
  { error, responseTimeMs, by }: JobFailure,
): CaptureEnd {
  const ended = { job, by, output: output && { index: output.index, loads: job.loads } };
  const times = { endedAt: Date.now(), responseTimeMs, phases: {} };
  return { ...capture, error, ...times, isStoredByCustomer: false, job: ended, group: output?.group };
}
