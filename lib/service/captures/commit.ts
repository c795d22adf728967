// Commits the end of a capture: each feature has writes at it, and all of them are one transaction.

import { plans } from "../../contract/plans.ts";
import { isFreeFailure } from "../billing/free-failures.ts";
import { type CountedFailure, settleFree, settleSuccess } from "../billing/quota-store.ts";
import { jobEndWrites } from "../jobs/job-end.ts";
import { captureEvent } from "../usage/capture-event.ts";
import { chooseShard } from "../usage/counter-shards.ts";
import { recordCapture } from "../usage/usage-store.ts";
import { cacheEndWrites } from "./cache-end.ts";
import { type CaptureEnd, describeEnd, type Outcome } from "./capture-end.ts";
import { emitCaptureMetrics, traceCapture } from "./capture-metrics.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import { flightEndWrites } from "./flight.ts";

/**
 * Commits the end of a requested capture, which settles its quota. A rendered capture is billed; a failure and a cached result are
 * free. Resolves to the id of its log. Throws `NotRecordedError` when another worker has the job.
 */
export async function endCapture(request: CaptureRequest, outcome: Outcome, env: CaptureResources): Promise<number> {
  const { clock, startedAt, reservation } = request;
  return clock.measure("store", async () => {
    const end = await describeEnd(request, outcome, env);
    const id = await commit(end, env);
    traceCapture(end, { startedAt, parts: clock.intervals() });
    reservation.settle();
    outcome.flight?.settle();
    return id;
  });
}

/** Writes everything that a capture leaves, or nothing. Resolves to the id of its log. Throws `NotRecordedError`. */
export async function commit(
  end: CaptureEnd,
  { ACTIVITY_TABLE, USAGE_TABLE, USAGE_RETENTION_DAYS }: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<number> {
  const { requestId, allowance, result, caller } = end;
  const isBilled = result && !result.fromCache;
  const quota = isBilled
    ? settleSuccess(USAGE_TABLE, allowance)
    : settleFree(USAGE_TABLE, allowance, countedFailure(end));
  const id = await recordCapture(
    { activity: ACTIVITY_TABLE, usage: USAGE_TABLE, retentionDays: USAGE_RETENTION_DAYS },
    {
      preferredId: requestId,
      attempt: allowance.attempt,
      event: captureEvent(end),
      shard: chooseShard(plans[caller.account.plan], Math.random()),
      billedIncrements: quota.billedIncrements,
      unbilledIncrements: quota.unbilledIncrements,
    },
    [
      ...quota.items,
      ...jobEndWrites(end, { ACTIVITY_TABLE, USAGE_TABLE }),
      ...cacheEndWrites(end, ACTIVITY_TABLE),
      ...flightEndWrites(end),
    ],
  );
  emitCaptureMetrics(end);
  return id;
}

/** The failure of a capture, with its share of the time of its request; undefined for a fault of ours, and for a success. */
function countedFailure({ error, options, responseTimeMs, endedAt, group }: CaptureEnd): CountedFailure | undefined {
  if (!error || error.blame === "us") return undefined;
  const milliseconds = Math.round(responseTimeMs / (group?.size ?? 1));
  return { milliseconds, endedAt, isFreeFailure: isFreeFailure(error, options) };
}
