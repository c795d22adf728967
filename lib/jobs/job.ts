// Jobs: captures that are taken in the background. Their states, and what their owner is told of them.
import * as v from "valibot";
import { newWebhook, WebhookSchema, type WebhookSettings } from "../webhooks/webhook.ts";
import { JobRequestSchema } from "./job-request.ts";

/**
 * - `queued`: waits for a function that takes it
 * - `processing`: is being captured; it goes back to `queued` when whoever held it gives up or was killed
 * - `success`, `failed`: has its outcome, and never another one, unless the operator sends a failed one round again
 */
export const jobStatuses = ["queued", "processing", "success", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The states that may follow each state. One that is `processing` stays so when somebody else takes it over. */
export const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ["processing", "failed"],
  processing: ["processing", "queued", "success", "failed"],
  success: [],
  failed: ["queued"],
};

const timestamp = v.string();

/** What a success left; its file and facts are objects of the bucket. */
const ResultSchema = v.object({
  mime_type: v.string(),
  size_bytes: v.number(),
  /** When its links end, in milliseconds since 1970. */
  expires_at: v.number(),
  /** What is kept of it (see `lib/results/stored-capture-store.ts`), null once it was deleted. */
  stored: v.nullable(v.unknown()),
  /** Where the cache has or had it, so that others may refer to it; null for a result of this job alone. */
  cache_hash: v.optional(v.nullable(v.string()), null),
});
export type JobResult = v.InferOutput<typeof ResultSchema>;

/** A job as it is stored. */
export const JobSchema = v.object({
  id: v.number(),
  account_id: v.number(),
  api_key_id: v.number(),
  request: JobRequestSchema,
  status: v.picklist(jobStatuses),
  created_at: timestamp,
  finished_at: v.nullable(timestamp),
  external_identifier: v.nullable(v.string()),
  webhook: v.nullable(WebhookSchema),
  /** Who holds it while it is `processing`, and until when in milliseconds since 1970. */
  lease: v.nullable(v.object({ holder: v.string(), until: v.number() })),
  /** Of a success. */
  result: v.nullable(ResultSchema),
  /** Milliseconds the capture took, once it has an outcome. */
  response_time_ms: v.nullable(v.number()),
  from_cache: v.nullable(v.boolean()),
  /** The JSON body of the error of a failure. */
  error: v.nullable(v.record(v.string(), v.unknown())),
});
export type Job = v.InferOutput<typeof JobSchema>;

/** What makes a job. */
export interface NewJob extends Pick<Job, "id" | "request" | "external_identifier"> {
  readonly webhook: WebhookSettings | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A job that waits. */
export function newJob({ webhook, now, ...job }: NewJob): Job {
  const { account, key } = job.request.caller;
  return {
    ...job,
    account_id: account.id,
    api_key_id: key.id,
    status: "queued",
    created_at: new Date(now).toISOString(),
    finished_at: null,
    webhook: webhook && newWebhook(webhook),
    lease: null,
    result: null,
    response_time_ms: null,
    from_cache: null,
    error: null,
  };
}

/** How a job is found. */
export type JobIds = Pick<Job, "account_id" | "id">;

/** Days for which a job is kept after it was asked for. */
export const JOB_RETENTION_DAYS = 30;

/** True when a job must not be shown any more at `now` (milliseconds since 1970), though it may not be swept yet. */
export function isExpired({ created_at }: Pick<Job, "created_at">, now: number): boolean {
  return Date.parse(created_at) + JOB_RETENTION_DAYS * 24 * 60 * 60 * 1000 <= now;
}

/** True once a job has its outcome. */
export function hasEnded({ status }: Pick<Job, "status">): boolean {
  return status === "success" || status === "failed";
}

/** True while the outcome of a job has to be told to its webhook. */
export function hasPendingWebhook(job: Pick<Job, "status" | "webhook">): boolean {
  return hasEnded(job) && job.webhook?.status === "pending";
}
