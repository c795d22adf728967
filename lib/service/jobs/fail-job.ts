// Fails a job that ended without a capture.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { EndedJob } from "../captures/capture-end.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import { commit } from "../captures/commit.ts";
import type { Job } from "./job.ts";

export interface JobFailure extends Pick<EndedJob, "update"> {
  readonly error: ApiError;
  readonly responseTimeMs: number;
}

/** Records that a job failed. Throws `NotRecordedError` when another worker holds or has ended it. */
export async function recordJobFailure(
  job: Job,
  { error, responseTimeMs, update }: JobFailure,
  env: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<void> {
  const times = { endedAt: Date.now(), responseTimeMs, phases: {} };
  const end = { ...job.request, requestId: job.id, error, ...times, isStoredByCustomer: false, job: { job, update } };
  await commit(end, env);
}
