// The error of an asynchronous capture that was cancelled.

import { ApiError } from "../../contract/errors/api-error.ts";

/** `when` completes "The capture was cancelled …". */
export function cancelledError(when = "while it was being processed"): ApiError {
  return new ApiError("CANCELLED", `The capture was cancelled ${when}. Nothing was billed.`);
}
