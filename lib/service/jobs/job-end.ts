// The end of a job, with that of its capture.

import { type ApiError, errorBody } from "../../contract/errors/api-error.ts";
import type { CaptureEnd } from "../captures/capture-end.ts";
import type { Environment } from "../platform/environment.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import { endWrite, type JobOutcome, outputWrite } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

/**
 * The outcome of the capture's job, if it has one, and its slot; or that of an output, after which the job goes on. Nothing is recorded
 * when another worker holds the job by now.
 */
export function jobEndWrites(
  end: CaptureEnd,
  { ACTIVITY_TABLE, USAGE_TABLE }: Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">,
): TransactionItem[] {
  if (!end.job) return [];
  const { job, by, output } = end.job;
  const outcome = { by, now: end.endedAt, outcome: jobOutcome(end) };
  if (output)
    return [{ write: { Update: outputWrite(ACTIVITY_TABLE, job, { ...outcome, ...output }) }, isRequired: true }];
  const slot = releaseSlotWrites(USAGE_TABLE, job);
  return [
    { write: { Update: endWrite(ACTIVITY_TABLE, job, outcome) }, isRequired: true },
    ...slot.map((write) => ({ write })),
  ];
}

function jobOutcome({ requestId, error, result, job, cache, responseTimeMs }: CaptureEnd): JobOutcome {
  const duration = { response_time_ms: responseTimeMs };
  if (error) return { status: "failed", error: storableError(error, requestId), ...duration };
  if (!result?.stored) throw new Error("The result of a job is always stored.");
  const { mime_type, size_bytes, expires_at } = result.stored;
  const stored = { mime_type, size_bytes, expires_at, stored: job?.packed, cache_hash: cache?.key ?? null };
  return { status: "success", result: stored, from_cache: result.fromCache, ...duration };
}

/** The JSON body of an error as a job stores it: DynamoDB refuses lone surrogates, and an error may quote a page. */
export function storableError(error: ApiError, requestId: number): Record<string, unknown> {
  const wellFormed = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  return JSON.parse(JSON.stringify(errorBody(error, requestId), wellFormed));
}
