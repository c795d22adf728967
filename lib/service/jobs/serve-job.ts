// Lists asynchronous captures, shows the state of one, cancels it, and deletes its result.
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { enqueueWebhook } from "../webhooks/webhook-queue.ts";
import { describeJob } from "./describe-job.ts";
import { availableResults, hasEnded, hasPendingWebhook, type Job } from "./job.ts";
import { listJobs } from "./job-list.ts";
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
  const data = await Promise.all(jobs.map((job) => describeJob(job, env, { now })));
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
  return json(200, await describeJob(job, env, { now: request.receivedAt, withContent: true }));
}

/**
 * Cancels a capture that has not ended, and deletes the result of one that has. Answers 202 with the state of a capture that a worker
 * is processing: the worker ends it. Throws `NOT_FOUND` if the account has no such job.
 */
export async function deleteAsyncCapture({
  request,
  caller: { account },
  env,
}: RouteCall<"capture", unknown, keyof JobResources>): Promise<ApiResponse<ResponseBody<typeof CaptureState>>> {
  const requested = await findRequestedJob(request, account.id, env);
  const job = hasEnded(requested) ? requested : await cancel(requested, env);
  if (!hasEnded(job)) return json(202, await describeJob(job, env, { now: request.receivedAt }));
  const results = availableResults(job);
  if (results.length > 0) {
    const { deleteJobResult } = await import("./delete-job-result.ts"); // loads S3, which reading a state does without
    for (const result of results) await deleteJobResult(job, result, env);
  }
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

type JobResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "WEBHOOK_QUEUE_URL" | "BASE_URL"
>;

/** Cancels a job, and queues the webhook of one that has ended. Resolves to the job as it is then. */
async function cancel(requested: Job, env: JobResources): Promise<Job> {
  const { cancelJob } = await import("./cancel-job.ts"); // reading a state does without it
  const job = await cancelJob(requested, env);
  if (hasPendingWebhook(job)) await enqueueWebhook(env.WEBHOOK_QUEUE_URL, job);
  return job;
}
