// Fails a job: commits the failure of each of its captures that has not ended.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureCommit } from "../captures/capture-commit.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import { commitCapture } from "../captures/commit.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { type Job, type JobCapture, type JobIds, pendingCaptures } from "./job.ts";
import { commitJob } from "./job-commit.ts";
import { findJob } from "./job-store.ts";
import type { JobEnder } from "./job-writes.ts";

export interface JobFailure {
  readonly error: ApiError;
  readonly responseTimeMs: number;
  readonly by: JobEnder;
  /** Milliseconds by phase. @default none */
  readonly phases?: CaptureCommit["phases"];
}

/**
 * Commits the failure of a job for each of its outputs that has not ended; those that have ended stay as they are. Throws
 * `NotRecordedError` when another worker holds or has ended it.
 */
export async function commitJobFailure(
  ids: JobIds,
  failure: JobFailure,
  env: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<void> {
  let refused: number | undefined;
  for (;;) {
    const job = await findJob(env.ACTIVITY_TABLE, ids, Date.now());
    if (!job) throw new NotRecordedError(); // its account is being deleted
    const [next, ...others] = pendingCaptures(job);
    if (!next) return commitJob(job, failure, env);
    if (next.requestId === refused) throw new NotRecordedError();
    const endsJob = others.length === 0;
    try {
      await commitCapture(failedCapture(job, { ...next, endsJob }, failure), env);
      if (endsJob) return;
    } catch (error) {
      if (!(error instanceof NotRecordedError)) throw error;
      refused = next.requestId; // unless its capture, which was cancelled, has just ended
    }
  }
}

function failedCapture(
  job: Job,
  { index, endsJob, ...capture }: JobCapture & { readonly endsJob: boolean },
  { error, responseTimeMs, by, phases = {} }: JobFailure,
): CaptureCommit {
  const ended = { job, by, error, output: { index, loads: job.loads, endsJob } };
  return { ...capture, error, endedAt: Date.now(), responseTimeMs, phases, isStoredByCustomer: false, job: ended };
}
