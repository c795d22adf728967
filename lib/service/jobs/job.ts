// Asynchronous captures (jobs): their states and transitions.
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import type { CaptureGroup } from "../captures/capture-group.ts";
import type { LoggedRequest } from "../usage/loggable-options.ts";
import { newWebhook, type WebhookSettings } from "../webhooks/webhook.ts";
import type { JobItem, JobStatus } from "./job-schema.ts";

/** Legal transitions. A job stays `processing` when another worker takes it over. */
export const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ["processing", "failed"],
  processing: ["processing", "queued", "success", "failed"],
  success: [],
  failed: ["queued"],
};

/** A job: a request that is captured asynchronously. `job-item.ts` reads it from its item, and writes it. */
export interface Job extends Omit<JobItem, "request" | "result" | "outputs"> {
  /** What all of its captures have in common. */
  readonly request: Omit<JobItem["request"], "allowance" | "format" | "outputs">;
  /** In the order of the request, never empty. */
  readonly outputs: readonly [JobOutput, ...JobOutput[]];
}

/** An output of a job, whose capture has its own quota and its own log. */
export interface JobOutput extends Pick<JobItem["request"], "allowance" | "format"> {
  /** Undefined for the only output of a request without `outputs`. */
  readonly group: Omit<CaptureGroup, "id"> | undefined;
  /** Those of its redacted options that differ from the shared ones in the request. */
  readonly options: JobItem["request"]["options"];
  /** Null until it has ended. */
  readonly outcome: OutputOutcome | null;
}

/** How an output of a job ended: with a result, or with an error. */
export type OutputOutcome = NonNullable<JobItem["outputs"][number]>;
export type JobResult = NonNullable<JobItem["result"]>;

/** A capture that failed so often by our fault, or whose worker died, is not tried again. */
export const MAX_JOB_ATTEMPTS = 3;

/** Facts of a new job. */
export interface NewJob extends Pick<Job, "id" | "request" | "external_identifier" | "slot"> {
  readonly outputs: readonly [NewOutput, ...NewOutput[]];
  readonly webhook: WebhookSettings | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type NewOutput = Omit<JobOutput, "outcome">;

/** Creates a queued job. */
export function newJob({ webhook, now, outputs: [first, ...others], ...job }: NewJob): Job {
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
    outputs: [{ ...first, outcome: null }, ...others.map((output) => ({ ...output, outcome: null }))],
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
export function isJobExpired({ created_at }: Pick<Job, "created_at">, now: number): boolean {
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

/** A result of a job that was not deleted. */
export interface AvailableResult {
  readonly result: JobResult;
  /** The index of its output. */
  readonly index: number;
}

/** The results of a job that were not deleted. */
export function availableResults({ outputs }: Pick<Job, "outputs">): readonly AvailableResult[] {
  return outputs.flatMap(({ outcome }, index) => (outcome?.result?.stored ? [{ result: outcome.result, index }] : []));
}

/** A capture of a job, as its log describes it. */
export interface JobCapture extends LoggedRequest, Pick<JobOutput, "allowance"> {
  readonly requestId: number;
  /** The index of its output. */
  readonly index: number;
  readonly group: CaptureGroup | undefined;
}

/** The captures of a job that have not ended, in the order of its request. */
export function pendingCaptures({ id, request, outputs }: Job): readonly JobCapture[] {
  return outputs.flatMap(({ group, outcome, options, ...output }, index) => {
    if (outcome) return [];
    const capture = { ...request, ...output, options: { ...request.options, ...options } };
    return [{ ...capture, requestId: id + index, index, group: group && { ...group, id } }];
  });
}
