// The header `Idempotency-Key`, and which answers are kept for it.
import { describe, expect, test } from "vitest";
import { idempotencyKey, isReplayable, replayableHeaders } from "../../../lib/service/http/idempotency-key.ts";
import { apiErrorOf } from "../../support/builders.ts";

const keyOf = (key: string | undefined, method = "POST") =>
  idempotencyKey({ method, headers: { "idempotency-key": key } });

describe("an idempotency key", () => {
  test.each(["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", '"quoted"', "~!#/+".repeat(51)])("can be %j", (key) => {
    expect(keyOf(key)).toBe(key);
  });

  test.each(["", "two words", "first, second", "ü", "a\tb", "a".repeat(256)])("is not %j", (key) => {
    const error = apiErrorOf(() => keyOf(key));
    expect([error.status, error.details]).toEqual([
      422,
      { "Idempotency-Key": ["must have 1 to 255 visible ASCII characters"] },
    ]);
  });

  test("need not be sent", () => {
    expect([keyOf(undefined), keyOf(undefined, "GET")]).toEqual([undefined, undefined]);
  });

  test.each(["GET", "HEAD", "PATCH", "DELETE"])("is refused with %s, where it would be ignored", (method) => {
    const error = apiErrorOf(() => keyOf("a", method));
    const message = `is for POST only, and would be ignored with ${method}: leave it out`;
    expect([error.status, error.details]).toEqual([422, { "Idempotency-Key": [message] }]);
  });
});

test("an answer is kept unless the same request may fare better later", () => {
  const statuses = [200, 202, 204, 304, 400, 402, 403, 409, 422, 429, 500, 503, 504];
  expect(statuses.filter(isReplayable)).toEqual([200, 202, 204, 304, 400, 403, 422]);
});

test("headers are kept, except those that measure", () => {
  expect(
    replayableHeaders({ ETag: '"a"', "X-Response-Time": "5", "Server-Timing": "auth;dur=1", "X-Cache": "MISS" }),
  ).toEqual({
    ETag: '"a"',
    "X-Cache": "MISS",
  });
});
