// What a worker does for a job that it has claimed: the work of a capture, or that of several outputs.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { ClaimedJob } from "../captures/capture-request.ts";
import type { CaptureParts } from "../captures/create-capture.ts";
import type { QueuedOptions } from "./job-queue.ts";

/** What a worker does for a job. */
export interface JobWork {
  /** Creates its capture, or those of its outputs, and records them. */
  readonly create: (parts: Pick<CaptureParts, "renderer" | "afterResponse">) => Promise<unknown>;
  /** Records that it was cancelled. */
  readonly cancel: (error: ApiError) => Promise<unknown>;
}

/** A job that this worker has claimed, with its options as they were sent. */
export interface ClaimedOptions {
  readonly claimed: ClaimedJob;
  readonly rawOptions: QueuedOptions;
  /** When the worker claimed it, in milliseconds on the monotonic clock. */
  readonly startedAt: number;
}
