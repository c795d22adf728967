// Commits a capture that has ended: each feature has writes for it, and all of them are one transaction.

import { effectiveLimits } from "../account/limits.ts";
import { isFreeFailure } from "../billing/free-failures.ts";
import { type CountedFailure, settleFree, settleSuccess } from "../billing/quota-store.ts";
import { jobCommitWrites } from "../jobs/job-commit.ts";
import { captureEvent } from "../usage/capture-event.ts";
import { chooseShard } from "../usage/counter-shards.ts";
import { recordCapture } from "../usage/usage-store.ts";
import { cacheCommitWrites } from "./cache-commit.ts";
import { type CaptureCommit, type CommittedOutcome, prepareCommit } from "./capture-commit.ts";
import { emitCaptureMetrics, traceCapture } from "./capture-metrics.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import { flightCommitWrites } from "./flight.ts";

/**
 * Commits the outcome of a requested capture, and settles its quota. A rendered capture is billed; a failure and a cached result are
 * free. Resolves to the id of its log. Throws `NotRecordedError` when another worker has the job.
 */
export async function commitOutcome(
  request: CaptureRequest,
  outcome: CommittedOutcome,
  env: CaptureResources,
): Promise<number> {
  const { clock, startedAt, reservation } = request;
  return clock.measure("store", async () => {
    const commit = await prepareCommit(request, outcome, env);
    const id = await commitCapture(commit, env);
    traceCapture(commit, { startedAt, parts: clock.intervals() });
    reservation.settle();
    outcome.flight?.settle();
    return id;
  });
}

/** Commits everything that a capture records, or nothing. Resolves to the id of its log. Throws `NotRecordedError`. */
export async function commitCapture(
  commit: CaptureCommit,
  { ACTIVITY_TABLE, USAGE_TABLE, USAGE_RETENTION_DAYS }: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<number> {
  const { requestId, allowance, result, caller } = commit;
  const { requests_per_minute: rate } = effectiveLimits(caller.account, commit.endedAt);
  const isBilled = result && !result.fromCache;
  const quota = isBilled
    ? settleSuccess(USAGE_TABLE, allowance)
    : settleFree(USAGE_TABLE, allowance, countedFailure(commit));
  const id = await recordCapture(
    { activity: ACTIVITY_TABLE, usage: USAGE_TABLE, retentionDays: USAGE_RETENTION_DAYS },
    {
      preferredId: requestId,
      attempt: allowance.attempt,
      event: captureEvent(commit),
      shard: chooseShard({ requestsPerMinute: rate.value }, Math.random()),
      billedIncrements: quota.billedIncrements,
      unbilledIncrements: quota.unbilledIncrements,
    },
    [
      ...quota.items,
      ...jobCommitWrites(commit, { ACTIVITY_TABLE, USAGE_TABLE }),
      ...cacheCommitWrites(commit, ACTIVITY_TABLE),
      ...flightCommitWrites(commit),
    ],
  );
  emitCaptureMetrics(commit);
  return id;
}

/** The failure of a capture, with its share of the time of its request; undefined for a fault of ours, and for a success. */
function countedFailure({ error, options, responseTimeMs, endedAt, group }: CaptureCommit): CountedFailure | undefined {
  if (!error || error.blame === "us") return undefined;
  const milliseconds = Math.round(responseTimeMs / (group?.size ?? 1));
  return { milliseconds, endedAt, isFreeFailure: isFreeFailure(error, options) };
}
