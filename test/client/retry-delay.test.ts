// How long the typed client waits: before a retry, and before the next status of an asynchronous capture.
import { describe, expect, test } from "vitest";
import { ConnectionError } from "../../clients/typescript/src/api-error.ts";
import { errorFromBody } from "../../clients/typescript/src/error-from.ts";
import { pollDelayMs, retryDelayMs } from "../../clients/typescript/src/retry-delay.ts";

const body = { error: "Wait.", code: "RATE_LIMITED", request_id: 1, retryable: true } as const;

describe("client: the delay before a retry", () => {
  test("is what Retry-After says", () => {
    expect(retryDelayMs(errorFromBody(body, { retryAfterS: 61 }), 0)).toBe(61_000);
  });

  test.each([
    [0, 1_000],
    [1, 2_000],
    [20, 20_000],
  ])("after attempt %i is random, at most %i ms", (attempt, longest) => {
    const delays = Array.from({ length: 200 }, () => retryDelayMs(new ConnectionError("Lost."), attempt));
    expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 2);
  });
});

describe("client: the delay before the next status", () => {
  const headers = (remaining: number) =>
    new Headers({ "x-ratelimit-remaining": `${remaining}`, "x-ratelimit-reset": "100" });

  test("grows to 5 seconds", () => {
    const delays = [0, 1, 2, 20].map((attempt) => pollDelayMs(new Headers(), attempt));
    expect(delays).toEqual([400, 600, 900, 5_000]);
  });

  test("lasts until the rate limit has room when only one request is left", () => {
    expect(pollDelayMs(headers(1), 0, 58_000)).toBe(42_000);
    expect(pollDelayMs(headers(2), 0, 58_000)).toBe(400);
    expect(pollDelayMs(headers(0), 0, 101_000)).toBe(400);
  });
});
