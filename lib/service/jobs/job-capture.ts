// Creates the capture of a job that this worker has claimed.

import { ApiError } from "../../contract/errors/api-error.ts";
import { type CaptureOptions, parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { QuotaReservation } from "../billing/quota-reservation.ts";
import { cachePolicy } from "../captures/cache-key.ts";
import { findCached } from "../captures/cache-lookup.ts";
import { type CaptureResources, type ClaimedJob, captureRequest } from "../captures/capture-request.ts";
import { endCapture } from "../captures/commit.ts";
import { createCapture } from "../captures/create-capture.ts";
import { optionsFor } from "../captures/mark-capture.ts";
import { followingWork } from "../http/after-response.ts";
import type { Environment } from "../platform/environment.ts";
import type { CreateRenderer } from "../rendering/renderer.ts";
import { readResult } from "../results/result-store.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { cancelledError } from "./cancelled-error.ts";
import { recordJobFailure } from "./fail-job.ts";
import { type JobMessage, parseRawOptions, type QueuedOptions } from "./job-queue.ts";
import { isCancellationRequested } from "./job-store.ts";
import { finishWrite, type JobOutcome } from "./job-writes.ts";

export interface Rendering {
  readonly createRenderer: CreateRenderer;
  readonly env: CaptureResources & Pick<Environment, "WEBHOOK_QUEUE_URL" | "FAILED_RENDER_QUEUE_URL">;
  /** How long a job is held without a heartbeat, in milliseconds. @default 40,000 */
  readonly leaseMs?: number;
}

export interface ClaimedMessage extends Pick<ClaimedJob, "job" | "lease"> {
  readonly message: JobMessage;
}

/**
 * Creates the capture of a job and ends the job with it: with a success, with a failure that is the caller's or the
 * page's fault, or with `CANCELLED` as soon as `cancellation` aborts. Throws an error that is our fault, which does not end the job, and
 * `NotRecordedError` when another worker has ended it meanwhile.
 */
export async function createJobCapture(
  { job, lease, message }: ClaimedMessage,
  cancellation: AbortSignal,
  { createRenderer, env }: Rendering,
): Promise<void> {
  const startedAt = performance.now();
  const rawOptions = await readRawOptions(message, env);
  const parsed = parseStoredOptions(rawOptions);
  if (parsed instanceof ApiError) {
    const update = (outcome: JobOutcome) =>
      finishWrite(env.ACTIVITY_TABLE, job, { holder: lease.holder, now: Date.now(), outcome });
    return recordJobFailure(job, { error: parsed, responseTimeMs: 0, update }, env);
  }
  const { caller, allowance, source_ip: sourceIp } = job.request;
  const options = optionsFor(parsed, caller);
  const reservation = new QuotaReservation(allowance, env);
  const facts = { caller, sourceIp, requestId: job.id, startedAt, clock: new PhaseClock(), maxBodyBytes: 0 };
  const cache = cachePolicy(options, job.account_id);
  const claimed = { job, lease, cancellation };
  const request = captureRequest({ ...facts, options, rawOptions, reservation, cache, job: claimed });
  const cached = await findCached(request, env);
  const renderer = createRenderer();
  const { afterResponse, responded } = followingWork(job.id);
  const capturing = createCapture(request, { renderer, cached, afterResponse }, env);
  try {
    await Promise.race([capturing, rejectOnAbort(cancellation)]);
  } catch (error) {
    const cancelled = await cancellationError(error, claimed, env);
    if (cancelled) {
      renderer.kill();
      await endCapture(request, { error: cancelled }, env);
      await capturing.catch(() => undefined); // an upload to the customer's storage goes on
    } else if (!(error instanceof ApiError) || error.blame === "us") throw error;
  } finally {
    renderer.kill();
    afterResponse(() => renderer[Symbol.asyncDispose]());
    await responded(); // the job has ended
  }
}

/** Rejects with the reason of a signal when that aborts. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  if (signal.aborted) aborted.reject(signal.reason);
  return aborted.promise;
}

/**
 * The error of a capture that failed because its job is to be cancelled: the signal has aborted, or the mark came after the last poll and
 * refused the success. Undefined for any other failure.
 */
async function cancellationError(
  error: unknown,
  { job, cancellation }: ClaimedJob,
  { ACTIVITY_TABLE }: CaptureResources,
): Promise<ApiError | undefined> {
  if (cancellation.aborted) return cancellation.reason;
  const isRefused = error instanceof NotRecordedError && (await isCancellationRequested(ACTIVITY_TABLE, job));
  return isRefused ? cancelledError() : undefined;
}

async function readRawOptions({ options }: JobMessage, { RESULTS_BUCKET }: CaptureResources): Promise<QueuedOptions> {
  if ("inline" in options) return options.inline;
  const json = await readResult(RESULTS_BUCKET, options.object);
  if (!json) throw new Error("The options of the job are missing.");
  return parseRawOptions(json.toString());
}

/** The options were valid when the job was enqueued, for a version of the service that may have been another. */
function parseStoredOptions(rawOptions: QueuedOptions): CaptureOptions | ApiError {
  try {
    return parseCaptureOptions(rawOptions);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
