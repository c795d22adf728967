// The end of a job, recorded in one transaction with the log of its capture: one outcome, one log, one billed unit.

import type { Write } from "../aws/transaction.ts";
import { failure, recordOutcome } from "../captures/record-capture.ts";
import type { CaptureEnd } from "../captures/render-capture.ts";
import { type ApiError, errorBody } from "../errors/api-error.ts";
import type { Job } from "../jobs/job.ts";
import { finishWrite, type JobOutcome, type Lease } from "../jobs/job-writes.ts";
import { releaseSlotWrite } from "../jobs/slot-store.ts";
import type { Environment } from "../platform/environment.ts";
import { packCapture } from "../results/packed-capture-writes.ts";
import type { TransactionItem } from "../usage/usage-store.ts";

export type JobResources = Pick<
  Environment,
  "ACTIVITY_TABLE" | "USAGE_TABLE" | "USAGE_RETENTION_DAYS" | "RESULTS_BUCKET"
>;

/**
 * What is written with the log when its holder ends a job. Nothing at all is recorded when somebody else holds it by then.
 * `cacheHash` is where the cache has the result, undefined for a capture that does not use the cache.
 */
export async function jobTransactionItems(
  { job, lease }: { readonly job: Job; readonly lease: Lease },
  { end, cacheHash }: { readonly end: CaptureEnd; readonly cacheHash: string | undefined },
  places: JobResources,
): Promise<TransactionItem[]> {
  const outcome = await outcomeOf(job, { end, cacheHash }, places);
  const { holder } = lease;
  return jobEnding(job, finishWrite(places.ACTIVITY_TABLE, job, { holder, now: Date.now(), outcome }), places);
}

async function outcomeOf(
  { id }: Job,
  { end, cacheHash }: { readonly end: CaptureEnd; readonly cacheHash: string | undefined },
  { RESULTS_BUCKET }: JobResources,
): Promise<JobOutcome> {
  const { responseTimeMs } = end;
  if ("error" in end) return failedOutcome(id, end.error, responseTimeMs);
  const { stored, fromCache } = end;
  if (!stored) throw new Error("The result of a job is always stored.");
  const { mime_type, size_bytes, expires_at } = stored;
  const packed = await packCapture(RESULTS_BUCKET, stored);
  const result = { mime_type, size_bytes, expires_at, stored: packed, cache_hash: cacheHash ?? null };
  return { status: "success", result, from_cache: fromCache, response_time_ms: responseTimeMs };
}

/** How a job fails with an error that ended no capture. */
export interface JobFailure {
  readonly error: ApiError;
  readonly responseTimeMs: number;
  /** The update that fails the job, if it may. */
  readonly update: (outcome: JobOutcome) => NonNullable<Write["Update"]>;
}

/** Logs that a job failed. Throws `NotRecorded` when somebody else has it, or has told its outcome. */
export async function recordFailure(
  job: Job,
  { error, responseTimeMs, update }: JobFailure,
  places: Omit<JobResources, "RESULTS_BUCKET">,
): Promise<void> {
  const { id, request: order } = job;
  const companions = jobEnding(job, update(failedOutcome(id, error, responseTimeMs)), places);
  const ended = { order, allowance: order.allowance, requestId: id, outcome: failure(error), responseTimeMs };
  await recordOutcome({ ...ended, companions }, places);
}

function failedOutcome(id: number, error: ApiError, responseTimeMs: number): JobOutcome {
  return { status: "failed", error: storable(errorBody(error, id)), response_time_ms: responseTimeMs };
}

function jobEnding(
  { account_id, request: order }: Job,
  update: NonNullable<Write["Update"]>,
  { USAGE_TABLE }: Pick<JobResources, "USAGE_TABLE">,
): TransactionItem[] {
  const slot = { accountId: account_id, attempt: order.allowance.attempt };
  return [{ write: { Update: update }, isRequired: true }, { write: { Update: releaseSlotWrite(USAGE_TABLE, slot) } }];
}

/** The table refuses halves of characters, and an error may repeat what a page wrote. */
function storable(body: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)));
}
