// Handles requests for an asynchronous capture: returns its status, or deletes its result.
import { ApiError } from "../../errors/api-error.ts";
import { hasEnded, type Job } from "../../jobs/job.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { parseId } from "../../platform/ids.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { RouteBody } from "../route-responses.ts";
import { describeJob } from "./describe-job.ts";
import { requestedJob } from "./requested-job.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">;

/** Throws `NOT_FOUND` if the account has no such job, and `CONFLICT` if its result cannot be deleted yet. */
export async function serveJob(
  request: ApiRequest,
  places: Places,
): Promise<ApiResponse<RouteBody<"GET /api/v1/screenshot/{id}">>> {
  const { account } = await authorize(request, "capture", places);
  parseNothing(rawOptions(request));
  const job = await requestedJob(
    { account_id: account.id, id: parseId(request.pathParameters["id"] ?? "") },
    request,
    places,
  );
  if (request.method !== "DELETE") return json(200, await describeJob(job, places, request.receivedAt));
  await deleteStoredResult(job, places);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

async function deleteStoredResult(job: Job, places: Places): Promise<void> {
  if (!hasEnded(job)) {
    const message = `The capture is ${job.status} and has no result to delete yet. Retry when it has ended.`;
    throw new ApiError("CONFLICT", message);
  }
  if (!job.result?.stored) return;
  const { deleteJobResult } = await import("./delete-job-result.ts"); // loads the S3 client, which the status does not need
  await deleteJobResult(job, job.result, places);
}
