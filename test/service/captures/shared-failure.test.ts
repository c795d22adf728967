// The error of a capture in flight, serialized for the requests that wait for it.
import { expect, test } from "vitest";
import { ApiError, errorBody } from "../../../lib/contract/errors/api-error.ts";
import { fromSharedFailure, toSharedFailure } from "../../../lib/service/captures/shared-failure.ts";

test.each([
  new ApiError("SELECTOR_NOT_FOUND", "No element matched '#\ud800'.", { details: { selector: ["no element"] } }),
  new ApiError("TARGET_HTTP_ERROR", "The page answered with 404.", {
    target: { http_status_code: 404, net_error: null, final_url: "https://example.com/" },
    cause: new Error("inside"),
  }),
  new ApiError("RESULT_TOO_LARGE", "It is too large.", { figures: { limit: 5, unit: "MB", more: null } }),
])("$code is the same error to each of them", (error) => {
  const outcome = toSharedFailure(error);
  expect(outcome.isWellFormed()).toBe(true);
  expect(outcome).not.toContain("inside");
  expect(errorBody(fromSharedFailure(outcome), 1)).toEqual(errorBody(error, 1));
});
