// Reads the job that a request names.
import { ApiError } from "../../errors/api-error.ts";
import type { Job } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-store.ts";
import type { Environment } from "../../platform/environment.ts";
import type { ApiRequest } from "../http/api-request.ts";

/** The job with these ids, at the time of the request. Throws `NOT_FOUND`. */
export async function requestedJob(
  ids: Pick<Job, "account_id" | "id">,
  { receivedAt }: Pick<ApiRequest, "receivedAt">,
  { ACTIVITY_TABLE }: Pick<Environment, "ACTIVITY_TABLE">,
): Promise<Job> {
  const job = Number.isSafeInteger(ids.id) && ids.id > 0 ? await findJob(ACTIVITY_TABLE, ids, receivedAt) : undefined;
  if (job) return job;
  const message = "The account has no asynchronous capture with this id. Asynchronous captures are kept for 30 days.";
  throw new ApiError("NOT_FOUND", message);
}
