// Jobs of which nobody will tell the outcome any more, because the last function that held them was killed.
import { ApiError } from "../errors/api-error.ts";
import { hasEnded, type Job, type JobIds } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import { abandonWrite } from "../jobs/job-writes.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import type { JobResources } from "./record-job.ts";

/**
 * Fails a job whose holder has been gone since its lease ended, with its log, and gives back what was reserved for it.
 * Does nothing to any other job. Resolves to the job as it is then, or to undefined where there is none.
 */
export async function failIfAbandoned(
  ids: JobIds,
  places: Omit<JobResources, "RESULTS_BUCKET">,
): Promise<Job | undefined> {
  const now = Date.now();
  const job = await findJob(places.ACTIVITY_TABLE, ids, now);
  if (!job?.lease || hasEnded(job) || job.lease.until > now) return job;
  const message = "The capture could not be rendered: the service was interrupted again and again. Nothing was billed.";
  const failure = {
    error: new ApiError("INTERNAL_ERROR", message),
    responseTimeMs: Math.max(0, now - Date.parse(job.created_at)),
    update: (outcome: Parameters<typeof abandonWrite>[2]["outcome"]) =>
      abandonWrite(places.ACTIVITY_TABLE, job, { now, outcome }),
  };
  const { recordFailure } = await import("./record-job.ts"); // a job is seldom abandoned, and this is much to load
  try {
    await recordFailure(job, failure, places);
  } catch (error) {
    if (!(error instanceof NotRecordedError)) throw error; // somebody took it over, or told its outcome after all
  }
  return findJob(places.ACTIVITY_TABLE, ids, now);
}
