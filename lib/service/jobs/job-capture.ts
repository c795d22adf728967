// Creates the capture of a job that this worker has claimed, or the captures of its outputs.

import { ApiError } from "../../contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { QuotaReservation } from "../billing/quota-reservation.ts";
import { cachePolicy } from "../captures/cache-key.ts";
import { findCached } from "../captures/cache-lookup.ts";
import { type CaptureResources, type ClaimedJob, captureRequest } from "../captures/capture-request.ts";
import { endCapture } from "../captures/commit.ts";
import { createCapture } from "../captures/create-capture.ts";
import { optionsFor } from "../captures/test-caller.ts";
import { followingWork } from "../http/after-response.ts";
import { outputsWork } from "../outputs/outputs-work.ts";
import type { Environment } from "../platform/environment.ts";
import { addHostToLogContext } from "../platform/log-context.ts";
import type { CreateRenderer } from "../rendering/renderer.ts";
import { readResult } from "../results/result-store.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { cancelledError } from "./cancelled-error.ts";
import { recordJobFailure } from "./fail-job.ts";
import type { Job } from "./job.ts";
import { type JobMessage, parseRawOptions, type QueuedOptions } from "./job-queue.ts";
import { isCancellationRequested, startDelivery } from "./job-store.ts";
import type { ClaimedOptions, JobWork } from "./job-work.ts";

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
 * Creates the capture of a job, or those of its outputs, and ends the job: with a success, with a failure that is the caller's or the
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
  const claimed = { job, lease, cancellation, startDelivery: deliveryStart({ job, lease }, env) };
  const work = planWork({ claimed, rawOptions, startedAt }, env);
  if (work instanceof ApiError)
    return recordJobFailure(job, { error: work, responseTimeMs: 0, by: { holder: lease.holder } }, env);
  const renderer = createRenderer();
  const { afterResponse, responded } = followingWork();
  const capturing = work.create({ renderer, afterResponse });
  try {
    await Promise.race([capturing, rejectOnAbort(cancellation)]);
  } catch (error) {
    const cancelled = await cancellationError(error, claimed, env);
    if (cancelled) {
      renderer.kill();
      await work.cancel(cancelled);
      await capturing.catch(() => undefined); // an upload to the customer's storage goes on
    } else if (!(error instanceof ApiError) || error.blame === "us") throw error;
  } finally {
    renderer.kill();
    afterResponse(() => renderer[Symbol.asyncDispose]());
    await responded(); // the job has ended
  }
}

/** Marks the job once, however many results are delivered: see `ClaimedJob`. Throws `NotRecordedError` when another worker holds it. */
function deliveryStart(
  { job, lease }: Pick<ClaimedJob, "job" | "lease">,
  { ACTIVITY_TABLE }: CaptureResources,
): ClaimedJob["startDelivery"] {
  const start = async () => {
    const { job: stored, isChanged } = await startDelivery(ACTIVITY_TABLE, job, lease.holder);
    if (isChanged) return;
    throw stored && isHeldBy(stored, lease) ? cancelledError(job) : new NotRecordedError();
  };
  let starting: Promise<void> | undefined;
  return () => {
    starting ??= start();
    return starting;
  };
}

function isHeldBy({ status, lease }: Job, { holder }: ClaimedJob["lease"]): boolean {
  return status === "processing" && lease?.holder === holder;
}

/** The options were valid when the job was enqueued, for a version of the service that may have been another. */
function planWork(parts: ClaimedOptions, env: CaptureResources): JobWork | ApiError {
  addHostToLogContext(parts.rawOptions["url"]);
  try {
    return parts.claimed.job.request.outputs ? outputsWork(parts, env) : captureWork(parts, env);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The work for a job without `outputs`. Throws `VALIDATION_ERROR`. */
function captureWork({ claimed, rawOptions, startedAt }: ClaimedOptions, env: CaptureResources): JobWork {
  const { id, account_id, request: requested } = claimed.job;
  const { caller, allowance, source_ip: sourceIp } = requested;
  const options = optionsFor(parseCaptureOptions(rawOptions), caller);
  const reservation = new QuotaReservation(allowance, env);
  const facts = { caller, sourceIp, requestId: id, startedAt, clock: new PhaseClock(), maxBodyBytes: 0 };
  const cache = cachePolicy(options, account_id);
  const request = captureRequest({ ...facts, options, rawOptions, reservation, cache, job: claimed });
  return {
    create: async (parts) => createCapture(request, { ...parts, cached: await findCached(request, env) }, env),
    cancel: (error) => endCapture(request, { error }, env),
  };
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
  return isRefused ? cancelledError(job) : undefined;
}

async function readRawOptions({ options }: JobMessage, { RESULTS_BUCKET }: CaptureResources): Promise<QueuedOptions> {
  if ("inline" in options) return options.inline;
  const json = await readResult(RESULTS_BUCKET, options.object);
  if (!json) throw new Error("The options of the job are missing.");
  return parseRawOptions(json.toString());
}
