// `retry_on`: which errors are attempted again, after which pause, and how often.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { LoadAttempts } from "../../../lib/engine/pipeline/retry-on.ts";
import { captureOutputsWith, captureWith, failureOf } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";

const httpError = (status: number, retryAfter?: number) =>
  new ApiError("TARGET_HTTP_ERROR", "It failed.", {
    target: {
      http_status_code: status,
      net_error: null,
      final_url: null,
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
    },
  });
const options = (retry_on: unknown) => parseCaptureOptions({ url: "https://example.com", retry_on });

describe("retry_on: the next attempt", () => {
  test("follows a pause that doubles, four times", () => {
    const attempts = new LoadAttempts();
    const pauses = Array.from({ length: 5 }, () => attempts.next(httpError(503), options("503"), 60_000));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, undefined]);
  });

  test("comes when the page asks for it, if there is time for it then", () => {
    expect(new LoadAttempts().next(httpError(503, 7), options("503"), 8_000)).toBe(7_000);
    expect(new LoadAttempts().next(httpError(503, 7), options("503"), 7_999)).toBeUndefined();
    expect(new LoadAttempts().next(httpError(503), options("503"), 1_499)).toBeUndefined();
  });

  test.each([
    [httpError(503), "500-504", true],
    [httpError(429), "500-504", false],
    [httpError(404), "TARGET_HTTP_ERROR", true],
    [new ApiError("TARGET_UNREACHABLE", "It failed."), "503,target_unreachable", true],
    [new ApiError("TARGET_NAME_NOT_RESOLVED", "It failed."), "TARGET_UNREACHABLE", false],
    [new ApiError("CAPTURE_TIMEOUT", "It failed."), "TARGET_HTTP_ERROR", false],
    [new Error("503"), "503", false],
  ])("%s with %s: %s", (error, conditions, isRepeated) => {
    expect(new LoadAttempts().next(error, options(conditions), 60_000) !== undefined).toBe(isRepeated);
    expect(new LoadAttempts().next(error, options(undefined), 60_000)).toBeUndefined();
  });
});

/** A page that answers its first requests with an error, and how often each address was requested. */
const requests = new Map<string, number>();
const server = createServer(({ url = "" }, response: ServerResponse) => {
  const { searchParams } = new URL(url, "http://localhost");
  const requested = (requests.get(url) ?? 0) + 1;
  requests.set(url, requested);
  if (requested > Number(searchParams.get("failures"))) {
    response.setHeader("Content-Type", "text/html");
    return response.end(`<h1>Attempt ${requested}</h1>`);
  }
  const retryAfter = searchParams.get("retryAfter");
  const status = Number(searchParams.get("status") ?? 503);
  if (status === 0) return response.destroy();
  return response.writeHead(status, { ...(retryAfter && { "Retry-After": retryAfter }) }).end("<p>Not now.</p>");
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const settings = () => ({ allow: [origin] });
const capturePath = (path: string, sent = {}) => captureWith({ url: `http://${origin}${path}`, ...sent }, settings());

describe("retry_on: a page that fails at first", () => {
  test("is captured once it answers, in a fresh browser each time", async () => {
    const { body, report } = await capturePath("/?failures=1", {
      retry_on: 503,
      format: "text",
      metadata_report: true,
    });
    expect(body.toString()).toBe("Attempt 2");
    expect(report?.attempts).toMatchObject([
      { reason: "requested", quality: null, chosen: false },
      { reason: "TARGET_HTTP_ERROR", chosen: true },
    ]);
  });

  slowTest("fails with the last error when its time is up, and is requested once without the option", async () => {
    const url = `http://${origin}/?failures=9&retryAfter=4`;
    const failure = captureWith({ url, retry_on: [503], timeout: 10 }, { ...settings(), isTimedFromLaunch: true });
    expect(await failureOf(failure)).toMatchObject({ code: "TARGET_HTTP_ERROR" });
    expect(requests.get("/?failures=9&retryAfter=4")).toBeGreaterThan(1);
    await failureOf(capturePath("/?failures=9&plain"));
    expect(requests.get("/?failures=9&plain")).toBe(1);
  });

  test("fails at once where the page asks for a longer wait than there is time", async () => {
    const failure = failureOf(capturePath("/?failures=9&retryAfter=40", { retry_on: [503], timeout: 20 }));
    expect(await failure).toMatchObject({
      retryable: true,
      target: { retry_after: 40 },
      headers: { "Retry-After": "40" },
    });
    expect(requests.get("/?failures=9&retryAfter=40")).toBe(1);
  });

  test("is attempted again for an error of the network, and gives all outputs that share its load", async () => {
    const outputs = [
      { name: "text", format: "text" },
      { name: "html", format: "html" },
    ];
    const captured = await captureOutputsWith(
      { url: `http://${origin}/?failures=1&status=0&outputs`, retry_on: "target_unreachable", outputs },
      settings(),
    );
    expect(captured.outputs.map((output) => ("capture" in output ? output.name : output.error))).toEqual([
      "text",
      "html",
    ]);
    expect(requests.get("/?failures=1&status=0&outputs")).toBeGreaterThan(1); // Chromium itself repeats a request that broke off
  });

  slowTest("is attempted five times for all of its outputs together", async () => {
    const outputs = [
      { name: "text", format: "text" },
      { name: "html", format: "html" },
    ];
    const captured = await captureOutputsWith(
      { url: `http://${origin}/?failures=99`, retry_on: 503, outputs },
      settings(),
    );
    expect(captured.outputs.map((output) => "error" in output && output.error.code)).toEqual(
      Array(2).fill("TARGET_HTTP_ERROR"),
    );
    expect(requests.get("/?failures=99")).toBe(6); // and once more for the output that was not captured yet
  });
});
