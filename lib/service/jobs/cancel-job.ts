// Cancels an asynchronous capture that no worker has started: ends its job, and releases its quota and its slot, in one transaction.

import { ApiError, errorBody } from "../../contract/errors/api-error.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { settleFailure } from "../billing/quota-store.ts";
import type { Environment } from "../platform/environment.ts";
import type { Job } from "./job.ts";
import { cancelWrite } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

/**
 * Ends a queued job as failed with `CANCELLED`, at `now` (milliseconds since 1970). It has no log, because nothing was attempted.
 * Resolves to false when the job is not queued any more.
 */
export async function cancelJob(
  job: Job,
  { ACTIVITY_TABLE, USAGE_TABLE }: Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">,
  now: number,
): Promise<boolean> {
  const error = new ApiError("CANCELLED", "The capture was cancelled before it began. Nothing was billed.");
  const outcome = { status: "failed", error: errorBody(error, job.id), response_time_ms: null } as const;
  const end: Write = { Update: cancelWrite(ACTIVITY_TABLE, job, { now, outcome }) };
  const settlement = settleFailure(USAGE_TABLE, job.request.allowance).items.map(({ write }) => write);
  let releases: readonly Write[] = [...settlement, ...releaseSlotWrites(USAGE_TABLE, job)];
  for (;;) {
    try {
      await transact([end, ...releases]);
      return true;
    } catch (thrown) {
      const failed = failedCondition(thrown);
      if (!failed) throw thrown;
      if (failed.index === 0) return false;
      releases = releases.filter((_, index) => index !== failed.index - 1); // it has expired meanwhile
    }
  }
}
