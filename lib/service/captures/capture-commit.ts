// What a capture commits when it has ended: computed once, and read by each feature that records it.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Problem } from "../../contract/problems/problem.ts";
import type { Allowance } from "../billing/quota.ts";
import type { Job } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import type { JobEnder } from "../jobs/job-writes.ts";
import type { PackedCapture } from "../results/packed-capture.ts";
import { packCapture } from "../results/packed-capture-writes.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import type { StoredReport } from "../results/stored-report.ts";
import type { StoredThumbnail } from "../results/stored-thumbnail.ts";
import { type LoggedRequest, loggedRequest } from "../usage/loggable-options.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import type { CachePolicy } from "./cache-key.ts";
import type { CaptureGroup } from "./capture-group.ts";
import { type CaptureRequest, type CaptureResources, type ClaimedJob, elapsedMs } from "./capture-request.ts";
import type { FlightCommit } from "./flight.ts";

/** How the capture of a request ended. */
export interface CommittedOutcome {
  /** Undefined for a success. */
  readonly error?: ApiError;
  /** Undefined for a failure. */
  readonly result?: CommittedResult;
  /** The flight that ends with it; undefined where none does. */
  readonly flight?: FlightCommit | undefined;
}

/** A result that was rendered, which is billed, or cached, which is free. */
export interface CommittedResult {
  /** In our bucket, if it is stored there. */
  readonly stored: StoredCapture | undefined;
  readonly sizeBytes: number;
  readonly fromCache: boolean;
  /** Where its report is stored, if it has one. */
  readonly report?: StoredReport | undefined;
  /** Where its thumbnail is stored, or will be, if it has one. */
  readonly thumbnail?: StoredThumbnail | undefined;
  readonly page: {
    readonly warnings: readonly string[];
    readonly problems: readonly Problem[];
    readonly finalUrl: string | null;
    readonly metadata: { readonly blocked?: object };
  };
}

/** The job whose output ends with a capture. */
export interface JobCommit {
  readonly job: Job;
  /** Who may end it. */
  readonly by: JobEnder;
  readonly output: ClaimedJob["output"];
  /** Why the job ends before all of its outputs were attempted; undefined when they were. */
  readonly error?: ApiError;
  /** Its stored result; undefined for a failure. */
  readonly packed?: PackedCapture | undefined;
}

/** Everything that one transaction records of a capture that has ended. */
export interface CaptureCommit extends LoggedRequest, CommittedOutcome {
  readonly requestId: number;
  readonly allowance: Allowance;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly responseTimeMs: number;
  /** Milliseconds by phase. */
  readonly phases: Readonly<Record<string, number>>;
  /** True when the result was put into the customer's storage. */
  readonly isStoredByCustomer: boolean;
  readonly cache?: CachePolicy | undefined;
  /** The stored result for the cache; undefined when there is nothing to cache. */
  readonly cached?: PackedCapture | undefined;
  readonly job?: JobCommit | undefined;
  /** The request with `outputs` that it is a part of. */
  readonly group?: CaptureGroup | undefined;
  /** The response to its request, if that is stored for replays. */
  readonly answer?: StoredAnswer | undefined;
}

/** Prepares the commit of a requested capture that ends at this moment. Packs its stored result: for its job, and for the cache. */
export async function prepareCommit(
  request: CaptureRequest,
  outcome: CommittedOutcome,
  { RESULTS_BUCKET, ACTIVITY_TABLE }: Pick<CaptureResources, "RESULTS_BUCKET" | "ACTIVITY_TABLE">,
): Promise<CaptureCommit> {
  const { requestId, options, reservation, clock, cache, group, answer } = request;
  const [endedAt, responseTimeMs] = [Date.now(), elapsedMs(request)];
  const { stored: result, fromCache } = outcome.result ?? {};
  const pack = async () => result && packCapture(RESULTS_BUCKET, result, group?.size);
  const jobCommit = async ({ job, lease: { holder }, output }: ClaimedJob): Promise<JobCommit> => {
    const isAmongOthers = output.endsJob && job.outputs.length > 1; // whose outcomes are stored since it was claimed
    const stored = isAmongOthers ? await findJob(ACTIVITY_TABLE, job, endedAt) : job;
    if (!stored) throw new NotRecordedError(); // its account is being deleted
    return { job: stored, by: { holder }, output, packed: await pack() };
  };
  return {
    ...loggedRequest(request),
    ...outcome,
    requestId,
    allowance: reservation.allowance,
    endedAt,
    responseTimeMs,
    phases: clock.durations(),
    isStoredByCustomer: options.store,
    cache,
    cached: cache && !fromCache ? await pack() : undefined,
    job: request.job && (await jobCommit(request.job)),
    group,
    answer,
  };
}
