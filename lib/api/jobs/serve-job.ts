// GET|HEAD|DELETE /api/v1/screenshot/{id}: the state of a job, its cancellation, and the deletion of its result.
import { ApiError } from "../../errors/api-error.ts";
import { hasEnded, hasPendingWebhook, type Job } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-store.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { enqueueDelivery } from "../../webhooks/webhook-queue.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { RouteBody } from "../route-responses.ts";
import { describeJob } from "./describe-job.ts";
import { findRequestedJob } from "./requested-job.ts";

type JobResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL" | "WEBHOOK_QUEUE_URL"
>;

/** Throws `NOT_FOUND` when the account has no such job, and `CONFLICT` for the deletion of one that is being processed. */
export async function serveJob(
  request: ApiRequest,
  env: JobResources,
): Promise<ApiResponse<RouteBody<"GET /api/v1/screenshot/{id}">>> {
  const { account } = await authorize(request, "capture", env);
  parseNothing(rawOptions(request));
  const job = await findRequestedJob(request, account.id, env);
  if (request.method !== "DELETE") return json(200, await describeJob(job, env, request.receivedAt));
  await cancelOrDelete(job, env);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

/** Cancels a job that no worker has begun, and deletes the result of one that has ended. */
async function cancelOrDelete(requested: Job, env: JobResources): Promise<void> {
  const cancelled = requested.status === "queued" ? await cancel(requested, env) : undefined;
  if (cancelled === true) return;
  const job = cancelled ?? requested;
  if (!hasEnded(job)) {
    throw new ApiError(
      "CONFLICT",
      "The capture is being processed and can't be cancelled. Try again when it has ended.",
    );
  }
  if (!job.result?.stored) return;
  const { deleteJobResult } = await import("./delete-job-result.ts"); // loads S3, which reading a state does without
  await deleteJobResult(job, job.result, env);
}

/** Resolves to true, or to the job as it is when a worker has begun it meanwhile. */
async function cancel(job: Job, env: JobResources): Promise<true | Job> {
  const { cancelJob } = await import("../../captures/cancel-job.ts"); // reading a state does without it
  const isCancelled = await cancelJob(job, env, Date.now());
  const now = await findJob(env.ACTIVITY_TABLE, job, Date.now());
  if (now && hasPendingWebhook(now))
    await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { kind: "deliver", account_id: job.account_id, job_id: job.id });
  return isCancelled || (now ?? job);
}
