// The errors of the typed client: what each has of the service's answer.
import { expect, test } from "vitest";
import { errorFromBody, errorFromResponse } from "../../clients/typescript/src/error-from.ts";
import { ApiError, RateLimitedError, ScreenCaptureError } from "../../clients/typescript/src/index.ts";

const body = {
  error: "Too many requests.",
  code: "RATE_LIMITED",
  request_id: 7,
  retryable: true,
  details: { limit: 10 },
  docs: "https://api.example.com/docs/errors#RATE_LIMITED",
} as const;

test("client error: has the fields of the answer, its status, and the address of its documentation", () => {
  const error = errorFromResponse(
    new Response(null, { status: 429, headers: { "Retry-After": "5" } }),
    JSON.stringify(body),
  );
  expect(error).toBeInstanceOf(RateLimitedError);
  expect({ ...error, message: error.message }).toMatchObject({
    message: body.error,
    code: body.code,
    requestId: 7,
    retryable: true,
    details: body.details,
    docs: body.docs,
    status: 429,
    retryAfterS: 5,
  });
});

test("client error: has no documentation when the service names none", () => {
  const { docs: _, ...others } = body;
  expect(errorFromBody(others).docs).toBeUndefined();
});

test("client error: of a code that this version doesn't know is an ApiError", () => {
  const error = errorFromBody({ ...body, code: "LATER_CODE" as never });
  expect([error.constructor, error.docs]).toEqual([ApiError, body.docs]);
});

test("client error: of an answer that isn't the service's says what to check", () => {
  const error = errorFromResponse(new Response(null, { status: 502 }), "<html>Bad gateway</html>");
  expect(error).toBeInstanceOf(ScreenCaptureError);
  expect([error instanceof ApiError, error.retryable, error.message]).toEqual([
    false,
    true,
    expect.stringContaining("Got status 502"),
  ]);
});
