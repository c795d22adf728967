// Asynchronous captures (jobs): their states, transitions and stored form.
import * as v from "valibot";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import { HeldSlotSchema } from "../aws/slot-counter.ts";
import { newWebhook, WebhookSchema, type WebhookSettings } from "../webhooks/webhook.ts";
import { JobRequestSchema } from "./job-request.ts";

/**
 * - `queued`: waits for a worker
 * - `processing`: held by a worker's lease; returns to `queued` when the worker releases it or dies
 * - `success`, `failed`: has ended; only the operator can requeue a failed job
 */
export const jobStatuses = ["queued", "processing", "success", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Legal transitions. A job stays `processing` when another worker takes it over. */
export const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ["processing", "failed"],
  processing: ["processing", "queued", "success", "failed"],
  success: [],
  failed: ["queued"],
};

const timestamp = v.string();

/** Result of a success; its file and metadata are objects in the bucket. */
const ResultSchema = v.object({
  mime_type: v.string(),
  size_bytes: v.number(),
  /** When its links expire, in milliseconds since 1970. */
  expires_at: v.number(),
  /** The packed capture (see `lib/service/results/packed-capture.ts`), null once it was deleted. */
  stored: v.nullable(v.unknown()),
  /** Cache key hash when the result is shared with the cache; null when only this job refers to it. */
  cache_hash: v.optional(v.nullable(v.string()), null),
});
export type JobResult = v.InferOutput<typeof ResultSchema>;

/** How an output of a job ended: with a result, or with an error. */
const OutputOutcomeSchema = v.object({
  status: v.picklist(["success", "failed"]),
  /** Set for a success. */
  result: v.nullable(ResultSchema),
  from_cache: v.boolean(),
  /** JSON body of the error of a failed output. */
  error: v.nullable(v.record(v.string(), v.unknown())),
});
export type OutputOutcome = v.InferOutput<typeof OutputOutcomeSchema>;

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
  /** The worker that holds it while `processing`, and until when in milliseconds since 1970. */
  lease: v.nullable(v.object({ holder: v.string(), until: v.number() })),
  /** Set for a success without `outputs`. */
  result: v.nullable(ResultSchema),
  /** How the outputs of its request ended, in their order; null for one that has not ended. Empty without `outputs`. */
  outputs: v.optional(v.array(v.nullable(OutputOutcomeSchema)), []),
  /** How often the page was loaded for the outputs that have ended. */
  loads: v.optional(v.number(), 0),
  /** Duration of the capture in milliseconds, once the job has ended. */
  response_time_ms: v.nullable(v.number()),
  from_cache: v.nullable(v.boolean()),
  /** JSON body of the error of a failed job. */
  error: v.nullable(v.record(v.string(), v.unknown())),
  /** How many workers have started its capture; one that was interrupted by a shutdown does not count. */
  attempts: v.optional(v.number(), 0),
  /** When its account cancelled it while a worker held it; null if it did not. */
  cancel_requested_at: v.optional(v.nullable(timestamp), null),
  /** When its worker began to upload a result to the customer's storage, after which it can't be cancelled; null if it has not. */
  delivery_started_at: v.optional(v.nullable(timestamp), null),
  /** Its slot of the account until it ends; null for a job that the operator has requeued. */
  slot: v.optional(v.nullable(HeldSlotSchema), null),
});
export type Job = v.InferOutput<typeof JobSchema>;

/** A capture that failed so often by our fault, or whose worker died, is not tried again. */
export const MAX_ATTEMPTS = 3;

/** Facts of a new job. */
export interface NewJob extends Pick<Job, "id" | "request" | "external_identifier" | "slot"> {
  readonly webhook: WebhookSettings | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Creates a queued job. */
export function newJob({ webhook, now, ...job }: NewJob): Job {
  const { account, key } = job.request.caller;
  return {
    ...job,
    account_id: account.id,
    api_key_id: key.signing_key_id ?? key.id,
    status: "queued",
    created_at: new Date(now).toISOString(),
    finished_at: null,
    webhook: webhook && newWebhook(webhook),
    lease: null,
    result: null,
    outputs: (job.request.outputs ?? []).map(() => null),
    loads: 0,
    response_time_ms: null,
    from_cache: null,
    error: null,
    attempts: 0,
    cancel_requested_at: null,
    delivery_started_at: null,
  };
}

/** Returns the origin or the saved receiver to which a job's webhook goes; null without one. Paths and queries can be secrets. */
export function webhookTarget(job: Pick<Job, "webhook"> | undefined): string | null {
  if (!job?.webhook) return null;
  const { url, receiver_id } = job.webhook;
  return url === null ? receiver_id : new URL(url).origin;
}

/** Primary key of a job. */
export type JobIds = Pick<Job, "account_id" | "id">;

/** How many days a job can be read after its creation. */
export const JOB_RETENTION_DAYS = 30;

/**
 * True when a job has expired at `now` (milliseconds since 1970), although DynamoDB's TTL may not have deleted it yet.
 */
export function isExpired({ created_at }: Pick<Job, "created_at">, now: number): boolean {
  return Date.parse(created_at) + JOB_RETENTION_DAYS * 24 * 60 * 60 * 1000 <= now;
}

/** True for a job with an outcome. */
export function hasEnded({ status }: Pick<Job, "status">): boolean {
  return status === "success" || status === "failed";
}

/** True for a job that failed because of the service: the operator can capture it again. */
export function hasFailedByFault({ status, error }: Pick<Job, "status" | "error">): boolean {
  return status === "failed" && error !== null && isFault(error);
}

/** True for the JSON body of an error that is the service's fault. */
export function isFault({ code }: Readonly<Record<string, unknown>>): boolean {
  return typeof code === "string" && code in errorKinds && errorKinds[code as ErrorCode].blame === "us";
}

/** True when a job has not ended and no worker holds it at `now` (milliseconds since 1970): it is queued, or its worker died. */
export function isWaiting({ status, lease }: Pick<Job, "status" | "lease">, now: number): boolean {
  return status === "queued" || (status === "processing" && lease !== null && lease.until <= now);
}

/** True when a job has ended and its webhook is not delivered yet. */
export function hasPendingWebhook(job: Pick<Job, "status" | "webhook">): boolean {
  return hasEnded(job) && job.webhook?.status === "pending";
}

/** A result of a job that was not deleted: of its capture, or of one of its outputs. */
export interface AvailableResult {
  readonly result: JobResult;
  /** The index of the output; undefined for a job without `outputs`. */
  readonly output?: number;
}

/** The results of a job that were not deleted. */
export function availableResults({ result, outputs }: Pick<Job, "result" | "outputs">): readonly AvailableResult[] {
  if (result?.stored) return [{ result }];
  return outputs.flatMap((outcome, output) => (outcome?.result?.stored ? [{ result: outcome.result, output }] : []));
}
