// Finds the job in the path of a request.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { Environment } from "../platform/environment.ts";
import { parseId } from "../platform/ids.ts";
import { JOB_RETENTION_DAYS, type Job } from "./job.ts";
import { findJob } from "./job-store.ts";

/** The account's job that the path names, as it was when the request was received. Throws `NOT_FOUND`. */
export async function findRequestedJob(
  { pathParameters, receivedAt }: Pick<ApiRequest, "pathParameters" | "receivedAt">,
  accountId: number,
  { ACTIVITY_TABLE }: Pick<Environment, "ACTIVITY_TABLE">,
): Promise<Job> {
  const id = parseId(pathParameters["id"] ?? "");
  const isId = Number.isSafeInteger(id) && id > 0;
  const job = isId ? await findJob(ACTIVITY_TABLE, { account_id: accountId, id }, receivedAt) : undefined;
  if (job) return job;
  const message = `The account has no asynchronous capture with this id. Such captures are kept for ${JOB_RETENTION_DAYS} days.`;
  throw new ApiError("NOT_FOUND", message);
}
