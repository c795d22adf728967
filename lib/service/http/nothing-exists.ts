// The error of a path that no route has.
import { ApiError } from "../../contract/errors/api-error.ts";

/** The error of a path that no route has, or that is to look like one. */
export function nothingExists(): ApiError {
  return new ApiError("NOT_FOUND", "Nothing exists at this path. The paths of the API start with /api/v1.");
}
