// Fails abandoned jobs: those whose last worker died.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { billedNote, cancelledError } from "./cancelled-error.ts";
import { hasEnded, type Job, type JobIds } from "./job.ts";
import { findJob } from "./job-store.ts";

/** The error of a job whose workers died. */
export function interruptedError(job: Pick<Job, "outputs">): ApiError {
  const message = `The capture could not be rendered: the service was interrupted again and again. ${billedNote(job)}`;
  return new ApiError("INTERNAL_ERROR", message);
}

/**
 * Fails a job whose lease has expired, records that, and releases its quota. Does nothing to any other job. Resolves to the
 * job as it is then, or to undefined when there is none.
 */
export async function failIfAbandoned(
  ids: JobIds,
  env: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<Job | undefined> {
  const now = Date.now();
  const job = await findJob(env.ACTIVITY_TABLE, ids, now);
  if (!job?.lease || hasEnded(job) || job.lease.until > now) return job;
  const failure = {
    error: job.cancel_requested_at === null ? interruptedError(job) : cancelledError(job),
    responseTimeMs: Math.max(0, now - Date.parse(job.created_at)),
    by: "abandoned",
  } as const;
  const { commitJobFailure } = await import("./commit-job-failure.ts"); // rarely needed, and slow to load
  try {
    await commitJobFailure(job, failure, env);
  } catch (error) {
    if (!(error instanceof NotRecordedError)) throw error; // another worker claimed or ended it after all
  }
  return findJob(env.ACTIVITY_TABLE, ids, now);
}
