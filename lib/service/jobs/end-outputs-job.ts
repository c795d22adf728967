// Ends a job with `outputs`, once each of them has ended.

import type { ApiError } from "../../contract/errors/api-error.ts";
import { transactRequired } from "../aws/transaction.ts";
import type { Environment } from "../platform/environment.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import type { Job, JobIds } from "./job.ts";
import { pendingCaptures } from "./job-captures.ts";
import { storableError } from "./job-end.ts";
import { findJob } from "./job-store.ts";
import { endWrite, type JobEnder, type JobOutcome } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

export interface OutputsEnd {
  readonly by: JobEnder;
  /** Why the job ends before all outputs were attempted; undefined when they were. */
  readonly error?: ApiError;
  readonly responseTimeMs: number | null;
}

/**
 * Ends a job whose outputs have ended, and releases its slot: as failed with `error`, or with the first error if all outputs failed; as
 * a success otherwise. Throws `NotRecordedError` when another worker holds or has ended it.
 */
export async function endOutputsJob(
  ids: JobIds,
  { by, ...end }: OutputsEnd,
  { ACTIVITY_TABLE, USAGE_TABLE }: Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">,
): Promise<void> {
  const now = Date.now();
  const job = await findJob(ACTIVITY_TABLE, ids, now);
  if (!job) throw new NotRecordedError(); // its account is being deleted
  if (pendingCaptures(job).length > 0) throw new Error("An output of the job has not ended.");
  const Update = endWrite(ACTIVITY_TABLE, job, { by, now, outcome: outcomeOfAll(job, end) });
  if (!(await transactRequired({ Update }, releaseSlotWrites(USAGE_TABLE, job)))) throw new NotRecordedError();
}

function outcomeOfAll({ id, outputs }: Job, { error, responseTimeMs }: Omit<OutputsEnd, "by">): JobOutcome {
  const duration = { response_time_ms: responseTimeMs };
  if (error) return { status: "failed", error: storableError(error, id), ...duration };
  const successes = outputs.flatMap((outcome) => (outcome?.status === "success" ? [outcome] : []));
  if (successes.length === 0) return { status: "failed", error: outputs[0]?.error ?? null, ...duration };
  return { status: "success", result: null, from_cache: successes.every((each) => each.from_cache), ...duration };
}
