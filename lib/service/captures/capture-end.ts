// The end of a capture: computed once, and read by each feature that records it.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Problem } from "../../contract/problems/problem.ts";
import type { Allowance } from "../billing/quota.ts";
import type { Job } from "../jobs/job.ts";
import type { JobEnder } from "../jobs/job-writes.ts";
import type { PackedCapture } from "../results/packed-capture.ts";
import { packCapture } from "../results/packed-capture-writes.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import type { StoredReport } from "../results/stored-report.ts";
import type { StoredThumbnail } from "../results/stored-thumbnail.ts";
import { type LoggedRequest, loggedRequest } from "../usage/loggable-options.ts";
import type { CachePolicy } from "./cache-key.ts";
import {
  type CaptureGroup,
  type CaptureRequest,
  type CaptureResources,
  type ClaimedJob,
  elapsedMs,
} from "./capture-request.ts";
import type { Lease } from "./lease-store.ts";

/** How the capture of a request ended. */
export interface Outcome {
  /** Undefined for a success. */
  readonly error?: ApiError;
  /** Undefined for a failure. */
  readonly result?: EndedResult;
  /** The lease of its cache key, if it ended while it held it. */
  readonly lease?: Lease | undefined;
}

/** A result that was rendered, which is billed, or cached, which is free. */
export interface EndedResult {
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

/** The job that ends with a capture, or whose output does. */
export interface EndedJob {
  readonly job: Job;
  /** Who may end it. */
  readonly by: JobEnder;
  /** The output that ends; undefined when the job does. */
  readonly output?: ClaimedJob["output"];
  /** Its stored result; undefined for a failure. */
  readonly packed?: PackedCapture | undefined;
}

/** What a capture, or a job without one, leaves to be recorded. */
export interface CaptureEnd extends LoggedRequest, Outcome {
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
  readonly job?: EndedJob | undefined;
  /** The request with `outputs` that it is a part of. */
  readonly group?: CaptureGroup | undefined;
  /** The response to its request, if that is stored for replays. */
  readonly answer?: StoredAnswer | undefined;
}

/** The end of a requested capture, at this moment. Packs its stored result: for its job, and for the cache. */
export async function describeEnd(
  request: CaptureRequest,
  outcome: Outcome,
  { RESULTS_BUCKET }: Pick<CaptureResources, "RESULTS_BUCKET">,
): Promise<CaptureEnd> {
  const { requestId, options, reservation, clock, cache, group, answer } = request;
  const [endedAt, responseTimeMs] = [Date.now(), elapsedMs(request)];
  const { stored, fromCache } = outcome.result ?? {};
  const pack = async () => stored && packCapture(RESULTS_BUCKET, stored, group?.size);
  const endJob = async ({ job, lease: { holder }, output }: ClaimedJob): Promise<EndedJob> => ({
    job,
    by: { holder },
    output,
    packed: await pack(),
  });
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
    job: request.job && (await endJob(request.job)),
    group,
    answer,
  };
}
