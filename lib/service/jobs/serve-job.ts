// Lists asynchronous captures, shows the state of one, cancels it, and deletes its result.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { enqueueDelivery } from "../webhooks/webhook-queue.ts";
import { describeJob } from "./describe-job.ts";
import { hasEnded, hasPendingWebhook, type Job } from "./job.ts";
import { listJobs } from "./job-list.ts";
import { findJob } from "./job-store.ts";
import type { JobListOptions } from "./list-options.ts";
import { findRequestedJob } from "./requested-job.ts";
import type { CaptureState, CaptureStates } from "./responses.ts";

/** The asynchronous captures of the account, newest first. */
export async function listAsyncCaptures({
  request: { receivedAt: now },
  caller: { account },
  options: { status, external_identifier, before, limit },
  env,
}: RouteCall<"capture", JobListOptions, "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">): Promise<
  ApiResponse<ResponseBody<typeof CaptureStates>>
> {
  const filter = { status, external_identifier, before, limit };
  const { jobs, next } = await listJobs(env.ACTIVITY_TABLE, account.id, filter, now);
  const data = await Promise.all(jobs.map((job) => describeJob(job, env, now)));
  return json(200, { data, next_before: next ?? null });
}

/** Throws `NOT_FOUND` if the account has no such job. */
export async function getAsyncCapture({
  request,
  caller: { account },
  env,
}: RouteCall<"capture", unknown, "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">): Promise<
  ApiResponse<ResponseBody<typeof CaptureState>>
> {
  const job = await findRequestedJob(request, account.id, env);
  return json(200, await describeJob(job, env, request.receivedAt));
}

/** Throws `NOT_FOUND` if the account has no such job, and `CONFLICT` for one that is being processed. */
export async function deleteAsyncCapture({
  request,
  caller: { account },
  env,
}: RouteCall<"capture", unknown, keyof JobResources>): Promise<ApiResponse<never>> {
  await cancelOrDelete(await findRequestedJob(request, account.id, env), env);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

type JobResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "WEBHOOK_QUEUE_URL"
>;

/** Cancels a job that no worker has started, and deletes the result of one that has ended. */
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

/** Resolves to true, or to the job as it is when a worker has started it meanwhile. */
async function cancel(job: Job, env: JobResources): Promise<true | Job> {
  const { cancelJob } = await import("./cancel-job.ts"); // reading a state does without it
  const isCancelled = await cancelJob(job, env, Date.now());
  const now = await findJob(env.ACTIVITY_TABLE, job, Date.now());
  if (now && hasPendingWebhook(now))
    await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { kind: "deliver", account_id: job.account_id, job_id: job.id });
  return isCancelled || (now ?? job);
}
