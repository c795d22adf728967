// GET|HEAD|DELETE /api/v1/screenshot/{id}: the state of a job, and the deletion of its result.
import { ApiError } from "../../errors/api-error.ts";
import { hasEnded, type Job } from "../../jobs/job.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { RouteBody } from "../route-responses.ts";
import { describeJob } from "./describe-job.ts";
import { findRequestedJob } from "./requested-job.ts";

type JobResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL"
>;

/** Throws `NOT_FOUND` when the account has no such job, and `CONFLICT` when its result cannot be deleted yet. */
export async function serveJob(
  request: ApiRequest,
  env: JobResources,
): Promise<ApiResponse<RouteBody<"GET /api/v1/screenshot/{id}">>> {
  const { account } = await authorize(request, "capture", env);
  parseNothing(rawOptions(request));
  const job = await findRequestedJob(request, account.id, env);
  if (request.method !== "DELETE") return json(200, await describeJob(job, env, request.receivedAt));
  await deleteResult(job, env);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

async function deleteResult(job: Job, env: JobResources): Promise<void> {
  if (!hasEnded(job)) {
    const message = `The capture is ${job.status}, so it has no result to delete yet. Try again when it has ended.`;
    throw new ApiError("CONFLICT", message);
  }
  if (!job.result?.stored) return;
  const { deleteJobResult } = await import("./delete-job-result.ts"); // loads S3, which reading a state does without
  await deleteJobResult(job, job.result, env);
}
