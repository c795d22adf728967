// The error of an asynchronous capture that was cancelled, by its account or because that was suspended.

import { ApiError } from "../../contract/errors/api-error.ts";
import { suspendedMeanwhile } from "../account/suspended-error.ts";
import type { Job } from "./job.ts";

/** `when` completes "The capture was cancelled …". */
export function cancelledError(
  job: Pick<Job, "outputs" | "cancelled_by">,
  when = "while it was being processed",
): ApiError {
  if (job.cancelled_by === "operator") return suspendedMeanwhile(billedNote(job));
  return new ApiError("CANCELLED", `The capture was cancelled ${when}. ${billedNote(job)}`);
}

/** What is billed of a job that ends before its time, as a sentence. */
export function billedNote({ outputs }: Pick<Job, "outputs">): string {
  return outputs.length > 1 ? "Outputs that had succeeded by then are available and billed." : "Nothing was billed.";
}
