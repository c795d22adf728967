// The capture that an account requested: built once, read by every stage, changed by none.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Caller } from "../account/account.ts";
import type { QuotaReservation } from "../billing/quota-reservation.ts";
import type { Job } from "../jobs/job.ts";
import type { JobLease } from "../jobs/job-writes.ts";
import type { Environment } from "../platform/environment.ts";
import { DEFAULT_LIFETIME_S } from "../results/lifetime-class.ts";
import type { Referrer } from "../results/reference-store.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import type { CachePolicy } from "./cache-key.ts";
import type { CaptureGroup } from "./capture-group.ts";

/** A requested capture, as far as a job needs it to be rendered later. */
export interface RequestedCapture {
  readonly caller: Caller;
  readonly options: CaptureOptions;
  /** The options as the caller sent them: for the log and for the message of a job. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly requestId: number;
  readonly sourceIp: string;
  readonly reservation: QuotaReservation;
  /** Undefined for the capture of a request without `outputs`. */
  readonly group?: CaptureGroup | undefined;
}

/** A requested capture that is answered from the cache or rendered now. */
export interface CaptureRequest extends RequestedCapture {
  /** How it uses the cache; undefined when it does not. */
  readonly cache: CachePolicy | undefined;
  /** When it was received, and when it times out: milliseconds on the monotonic clock. */
  readonly startedAt: number;
  readonly deadline: number;
  readonly clock: PhaseClock;
  /** Largest result in bytes that its response carries: to a larger one, the response redirects. */
  readonly maxBodyBytes: number;
  /** Where the response to its request is stored for replays; undefined without an `Idempotency-Key`. */
  readonly answer?: StoredAnswer | undefined;
  /** The job that ends with it; undefined when a client waits for it. */
  readonly job: ClaimedJob | undefined;
}

/** The request of a capture, whose deadline follows from its timeout. */
export function captureRequest(facts: Omit<CaptureRequest, "deadline">): CaptureRequest {
  return { ...facts, deadline: facts.startedAt + facts.options.timeout * 1000 };
}

/** A job that a worker holds under a lease. */
export interface ClaimedJob {
  readonly job: Job;
  readonly lease: JobLease;
  /** Aborts when the job is to be cancelled, with the error with which it ends. */
  readonly cancellation: AbortSignal;
  /**
   * Called before the first byte of a result leaves for the customer's storage. After it, the job can't be cancelled any more. Throws
   * `CANCELLED` if it is cancelled already.
   */
  readonly startDelivery: () => Promise<void>;
  /** The output of the job that the capture is. */
  readonly output: EndingOutput;
}

/** An output of a job, as its end is recorded. */
export interface EndingOutput {
  /** Its index among the outputs of the job. */
  readonly index: number;
  /** How often the page was loaded for the outputs of the job until then. */
  readonly loads: number;
  /** True if the job ends with it, because all others have ended. */
  readonly endsJob: boolean;
}

/** The resources in which a capture is cached, stored and recorded. */
export type CaptureResources = Pick<
  Environment,
  "USAGE_TABLE" | "USAGE_RETENTION_DAYS" | "ACTIVITY_TABLE" | "RESULTS_BUCKET"
>;

type Delivery = Pick<CaptureRequest, "options" | "job">;

/** True when the response carries the bytes of the result. */
export function isAnsweredWithBody({ options: { response_type }, job }: Delivery): boolean {
  return !job && (response_type === "by_format" || response_type === "base64");
}

/** Seconds for which the result is stored for the caller; undefined when the response alone carries it. */
export function storageSeconds({ options: { response_type }, job }: Delivery): number | undefined {
  return job || response_type === "json" ? DEFAULT_LIFETIME_S : undefined;
}

/** What refers to the stored result: the job or the link in the response; undefined when nothing does. */
export function resultReferrer({ options: { response_type }, job }: Delivery): Referrer | undefined {
  return job?.job.id ?? (response_type === "json" ? "link" : undefined);
}

/** Milliseconds since the request was received. */
export function elapsedMs({ startedAt }: Pick<CaptureRequest, "startedAt">): number {
  return Math.round(performance.now() - startedAt);
}
