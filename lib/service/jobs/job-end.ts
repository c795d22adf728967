// The end of a job, with that of its capture.

import { errorBody } from "../../contract/errors/api-error.ts";
import type { CaptureEnd } from "../captures/capture-end.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import type { JobOutcome } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

/** The outcome of the capture's job, if it has one, and its slot. Nothing is recorded when another worker holds the job by now. */
export function jobEndWrites(end: CaptureEnd, usageTable: string): TransactionItem[] {
  if (!end.job) return [];
  const { job, update } = end.job;
  const slot = releaseSlotWrites(usageTable, job);
  return [{ write: { Update: update(jobOutcome(end)) }, isRequired: true }, ...slot.map((write) => ({ write }))];
}

function jobOutcome({ requestId, error, result, job, cache, responseTimeMs }: CaptureEnd): JobOutcome {
  const duration = { response_time_ms: responseTimeMs };
  if (error) return { status: "failed", error: wellFormed(errorBody(error, requestId)), ...duration };
  if (!result?.stored) throw new Error("The result of a job is always stored.");
  const { mime_type, size_bytes, expires_at } = result.stored;
  const stored = { mime_type, size_bytes, expires_at, stored: job?.packed, cache_hash: cache?.key ?? null };
  return { status: "success", result: stored, from_cache: result.fromCache, ...duration };
}

/** DynamoDB refuses lone surrogates, and an error may quote a page. */
function wellFormed(body: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)));
}
