// The error of an asynchronous capture that was cancelled.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { Job } from "./job.ts";

/** `when` completes "The capture was cancelled …". */
export function cancelledError(job: Pick<Job, "outputs">, when = "while it was being processed"): ApiError {
  return new ApiError("CANCELLED", `The capture was cancelled ${when}. ${billedNote(job)}`);
}

/** What is billed of a job that ends before its time, as a sentence. */
export function billedNote({ outputs }: Pick<Job, "outputs">): string {
  return outputs.length > 1 ? "Outputs that had succeeded by then are available and billed." : "Nothing was billed.";
}
