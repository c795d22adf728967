// Creates the captures of a job that this worker has claimed.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { QuotaReservation } from "../billing/quota-reservation.ts";
import { findAllCached } from "../captures/cache-lookup.ts";
import { planCaptures } from "../captures/cache-policies.ts";
import {
  type CaptureRequest,
  type CaptureResources,
  type ClaimedJob,
  captureRequest,
  elapsedMs,
} from "../captures/capture-request.ts";
import { createCaptures } from "../captures/create.ts";
import { parseRawOptions } from "../captures/parse.ts";
import { followingWork } from "../http/after-response.ts";
import type { Environment } from "../platform/environment.ts";
import { addHostToLogContext } from "../platform/log-context.ts";
import type { CreateRenderer } from "../rendering/renderer.ts";
import { readResult } from "../results/result-store.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { cancelledError } from "./cancelled-error.ts";
import { commitJobFailure } from "./commit-job-failure.ts";
import { type Job, pendingCaptures } from "./job.ts";
import { commitJob } from "./job-commit.ts";
import { type JobMessage, parseQueuedOptions, type QueuedOptions } from "./job-queue.ts";
import { findCancellation, startDelivery } from "./job-store.ts";

export interface JobRendering {
  readonly createRenderer: CreateRenderer;
  readonly env: CaptureResources & Pick<Environment, "WEBHOOK_QUEUE_URL" | "FAILED_RENDER_QUEUE_URL">;
  /** How long a job is held without a heartbeat, in milliseconds. @default 40,000 */
  readonly leaseMs?: number;
}

export interface ClaimedMessage extends Pick<ClaimedJob, "job" | "lease"> {
  readonly message: JobMessage;
  /** Of the capture, whose phases heartbeats store. */
  readonly clock: PhaseClock;
}

/**
 * Creates the captures of a job that have not ended, and ends the job: with a success, with a failure that is the caller's or the page's
 * fault, or with `CANCELLED` as soon as `cancellation` aborts. Throws an error that is our fault, which does not end the job, and
 * `NotRecordedError` when another worker has ended it meanwhile.
 */
export async function createJobCaptures(
  { job, lease, message, clock }: ClaimedMessage,
  cancellation: AbortSignal,
  { createRenderer, env }: JobRendering,
): Promise<void> {
  const startedAt = performance.now();
  const by = { holder: lease.holder };
  const fail = (error: ApiError) =>
    commitJobFailure(job, { error, responseTimeMs: elapsedMs({ startedAt }), by, phases: clock.durations() }, env);
  const rawOptions = await readRawOptions(message, env);
  addHostToLogContext(rawOptions["url"]);
  const claimed = { job, lease, cancellation, startDelivery: deliveryStart({ job, lease }, env) };
  const captures = planPending({ claimed, rawOptions, startedAt, clock }, env);
  if (captures instanceof ApiError) return fail(captures);
  if (captures.length === 0) return commitJob(job, { by, responseTimeMs: elapsedMs({ startedAt }) }, env);
  const renderer = createRenderer();
  const { afterResponse, responded } = followingWork();
  const creating = findAllCached(captures, env).then((cached) =>
    createCaptures({ captures, cached }, { renderer, afterResponse }, env),
  );
  try {
    await Promise.race([creating, rejectOnAbort(cancellation)]);
  } catch (error) {
    const cancelled = await cancellationError(error, claimed, env);
    if (!cancelled) throw error;
    renderer.kill();
    await fail(cancelled);
    await creating.catch(() => undefined); // an upload to the customer's storage goes on
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
    throw stored && isHeldBy(stored, lease) ? cancelledError(stored) : new NotRecordedError();
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

interface PendingParts {
  readonly claimed: Omit<ClaimedJob, "output">;
  readonly rawOptions: QueuedOptions;
  /** When the worker claimed the job, in milliseconds on the monotonic clock. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
}

/**
 * The captures of a job that have not ended. Results are cached as a whole, if those that have ended have succeeded. An error: the options
 * were valid when the job was enqueued, for a version of the service that may have been another.
 */
function planPending(
  { claimed, rawOptions, startedAt, clock }: PendingParts,
  env: CaptureResources,
): readonly CaptureRequest[] | ApiError {
  const { job } = claimed;
  const { caller, source_ip: sourceIp } = job.request;
  const facts = { caller, sourceIp, startedAt, clock, maxBodyBytes: 0 };
  const usesCache = job.outputs.every(({ outcome }) => outcome?.status !== "failed");
  try {
    const planned = planCaptures(parseRawOptions(rawOptions), caller);
    return pendingCaptures(job).flatMap(({ index, requestId, allowance, group }) => {
      const plan = planned[index];
      if (!plan) return [];
      const reservation = new QuotaReservation(allowance, env);
      const output = { index, loads: job.loads, endsJob: false };
      const cache = usesCache ? plan.cache : undefined;
      return captureRequest({ ...facts, ...plan, requestId, reservation, group, cache, job: { ...claimed, output } });
    });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
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
  { job, cancellation }: Pick<ClaimedJob, "job" | "cancellation">,
  { ACTIVITY_TABLE }: CaptureResources,
): Promise<ApiError | undefined> {
  if (cancellation.aborted) return cancellation.reason;
  const cancelled = error instanceof NotRecordedError ? await findCancellation(ACTIVITY_TABLE, job) : undefined;
  return cancelled && cancelledError({ ...job, ...cancelled });
}

async function readRawOptions({ options }: JobMessage, { RESULTS_BUCKET }: CaptureResources): Promise<QueuedOptions> {
  if ("inline" in options) return options.inline;
  const json = await readResult(RESULTS_BUCKET, options.object);
  if (!json) throw new Error("The options of the job are missing.");
  return parseQueuedOptions(json.toString());
}
