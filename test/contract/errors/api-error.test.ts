// The closed list of errors and how they are reported.
import { describe, expect, test } from "vitest";
import { ApiError, errorBody, internalError } from "../../../lib/contract/errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../../../lib/contract/errors/error-kinds.ts";

const codes = Object.keys(errorKinds) as ErrorCode[];

test("errors: every code has its documented status", () => {
  const statuses = Object.fromEntries(codes.map((code) => [code, new ApiError(code, "").status]));
  expect(statuses).toMatchObject({
    BAD_REQUEST: 400,
    VALIDATION_ERROR: 422,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    URL_NOT_ALLOWED: 403,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    GONE: 410,
    BODY_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    TARGET_NAME_NOT_RESOLVED: 422,
    TARGET_UNREACHABLE: 422,
    TARGET_TLS_ERROR: 422,
    TARGET_HTTP_ERROR: 422,
    TARGET_BLOCKED: 422,
    SELECTOR_NOT_FOUND: 422,
    RESULT_TOO_LARGE: 422,
    CAPTURE_TIMEOUT: 504,
    INTERNAL_ERROR: 500,
  });
});

test.each(codes)("errors: %s has a status from 400 to 599, and 5xx only if the caller is not to blame", (code) => {
  const { status, blame } = new ApiError(code, "");
  expect({ isError: status >= 400 && status <= 599, fits: status < 500 || blame !== "caller" }).toEqual({
    isError: true,
    fits: true,
  });
});

describe("errors: the JSON body", () => {
  test("has the message, the code, the request id, and whether to retry", () => {
    expect(errorBody(new ApiError("NOT_FOUND", "There is nothing here."), 123)).toEqual({
      error: "There is nothing here.",
      code: "NOT_FOUND",
      request_id: 123,
      retryable: false,
    });
  });

  test("has details and target if there are any", () => {
    const details = { selector: ["no element matched '#x' within 10 s"] };
    const target = { http_status_code: 404, net_error: null, final_url: "https://example.com/" };
    expect(errorBody(new ApiError("SELECTOR_NOT_FOUND", "No element.", { details, target }), 5)).toEqual({
      error: "No element.",
      code: "SELECTOR_NOT_FOUND",
      details,
      request_id: 5,
      retryable: false,
      target,
    });
  });

  test("names the support in an error of the service, with the number of the request, and in no other error", () => {
    const support = "support@example.com";
    expect(errorBody(internalError(new Error("a fault")), 1234, support)).toEqual({
      error:
        "The service failed to process the request. Nothing was billed. Retry the request. If it happens again, write to " +
        "support@example.com with the request number 1234.",
      code: "INTERNAL_ERROR",
      request_id: 1234,
      retryable: true,
      support,
    });
    const others = [new ApiError("NOT_FOUND", "Nothing."), new ApiError("CAPACITY", "Full.", { blame: "caller" })];
    for (const error of others) expect(errorBody(error, 5, support)).toEqual(errorBody(error, 5));
  });

  test("reveals nothing of its cause", () => {
    const body = errorBody(internalError(new Error("table ACCOUNTS is gone")), 5);
    expect(body).toEqual({
      error: "The service failed to process the request. Nothing was billed. Retry the request.",
      code: "INTERNAL_ERROR",
      request_id: 5,
      retryable: true,
    });
  });
});

test("errors: an error keeps its cause for the log and its headers for the response", () => {
  const cause = new Error("inside");
  const error = new ApiError("METHOD_NOT_ALLOWED", "No.", { cause, headers: { Allow: "GET" } });
  expect({ cause: error.cause, headers: error.headers, blame: error.blame }).toEqual({
    cause,
    headers: { Allow: "GET" },
    blame: "caller",
  });
});
