// `Retry-After` of a page.
import { expect, test } from "vitest";
import { ApiError, errorBody } from "../../../lib/contract/errors/api-error.ts";
import { type ErrorCode, errorKinds, isRetryable } from "../../../lib/contract/errors/error-kinds.ts";
import { parseRetryAfter } from "../../../lib/contract/errors/retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

test.each([
  ["30", 30],
  [" 30 ", 30],
  ["0", 1],
  ["86400", 3_600],
  ["9".repeat(400), 3_600],
  ["Thu, 01 Jan 2026 00:00:20 GMT", 20],
  ["Thursday, 01-Jan-26 00:00:20 GMT", 20],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 1],
  ["Fri, 01 Jan 2027 00:00:00 GMT", 3_600],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["Thu, not a date GMT", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After of a page: %j is %j s", (value, seconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(seconds);
});

const target = (http_status_code: number | null, retry_after?: number) => ({
  http_status_code,
  net_error: null,
  final_url: "https://example.com/",
  ...(retry_after !== undefined && { retry_after }),
});

test("an error: the same request can succeed later where the page is overloaded, and not where its time was up", () => {
  const retryable = (code: ErrorCode, status: number) => isRetryable(code, target(status));
  const statuses = [400, 404, 408, 425, 429, 500, 502, 503, 504, 505];
  expect(statuses.filter((status) => retryable("TARGET_HTTP_ERROR", status))).toEqual([429, 502, 503, 504]);
  expect(statuses.filter((status) => retryable("TARGET_BLOCKED", status))).toEqual([]);
  expect(retryable("CAPTURE_TIMEOUT", 200)).toBe(false);
  expect(isRetryable("CAPTURE_TIMEOUT", undefined)).toBe(true);
  const always = (Object.keys(errorKinds) as ErrorCode[]).filter((code) => retryable(code, 404));
  expect(always).toEqual(["RATE_LIMITED", "CAPACITY", "INTERNAL_ERROR"]);
});

test("an error: the wait that an overloaded page asks for is a header, and part of the JSON", () => {
  const error = new ApiError("TARGET_HTTP_ERROR", "It is busy.", { target: target(503, 7) });
  expect(error.headers).toEqual({ "Retry-After": "7" });
  expect(errorBody(error, 1)).toMatchObject({ retryable: true, target: { retry_after: 7 } });
  expect(new ApiError("TARGET_HTTP_ERROR", "It is gone.", { target: target(404, 7) }).headers).toEqual({});
});
