// What the shell answers when a handler or a request fails: JSON, always, and nothing of the inside.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { UnauthorizedError } from "../../../lib/service/account/authenticate.ts";
import type { Handle } from "../../../lib/service/http/api-handler.ts";
import { aContext, anEvent } from "../../support/builders.ts";
import { receivingApiHandler } from "../../support/lambda-streams.ts";

const logged: string[] = [];

beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "log").mockImplementation((entry) => void logged.push(JSON.stringify(entry)));
  vi.spyOn(console, "error").mockImplementation((entry) => void logged.push(JSON.stringify(entry)));
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function answerOf(handle: Handle, event: Parameters<typeof anEvent>[0] = {}, remaining?: number) {
  const { statusCode, headers = {}, body } = await receivingApiHandler(handle)(anEvent(event), aContext(remaining));
  return { status: statusCode, headers, body: JSON.parse(body) };
}

const INTERNAL = {
  error: "The service failed to process the request. Nothing was billed. Retry the request.",
  code: "INTERNAL_ERROR",
  request_id: expect.any(Number),
  retryable: true,
};

describe("an error of the closed list", () => {
  const refuse: Handle = () => {
    throw new ApiError("METHOD_NOT_ALLOWED", "This path does not take PUT.", { headers: { Allow: "GET" } });
  };

  test("is answered with its status, its headers and its body", async () => {
    const { status, headers, body } = await answerOf(refuse);
    expect({ status, body }).toEqual({
      status: 405,
      body: {
        error: "This path does not take PUT.",
        code: "METHOD_NOT_ALLOWED",
        request_id: Number(headers["X-Request-Id"]),
        retryable: false,
      },
    });
    expect(headers).toEqual({
      Allow: "GET",
      "Content-Length": expect.stringMatching(/^\d+$/),
      Vary: "Accept-Encoding",
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Request-Id": expect.stringMatching(/^\d+$/),
      "X-Response-Time": expect.stringMatching(/^\d+$/),
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": expect.any(String),
    });
  });

  test("is logged in one line with its code", async () => {
    await answerOf(refuse);
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: "request", status: 405, code: "METHOD_NOT_ALLOWED" }),
    ]);
  });

  test("keeps the reason of a refused key for the log", async () => {
    const { body } = await answerOf(() =>
      Promise.reject(new UnauthorizedError("revoked", "The API key is not valid.")),
    );
    expect([JSON.stringify(body).includes("revoked"), JSON.parse(logged[0] ?? "{}").reason]).toEqual([
      false,
      "revoked",
    ]);
  });
});

describe("an unforeseen error", () => {
  test.each<[string, unknown]>([
    ["an Error", new Error("table Accounts-123 is gone")],
    ["an error with a status of its own", Object.assign(new Error("secret"), { statusCode: 403, expose: true })],
    ["a text", "secret"],
    ["nothing", undefined],
    ["null", null],
  ])("that is %s becomes a 500 that shows nothing of it", async (_, thrown) => {
    const { status, body } = await answerOf(() => {
      throw thrown;
    });
    expect({ status, body }).toEqual({ status: 500, body: INTERNAL });
  });

  test("is logged with its text and the request it came from", async () => {
    const { headers } = await answerOf(() => Promise.reject(new Error("table is gone")));
    const [error, request] = logged.map((line) => JSON.parse(line));
    expect(error).toMatchObject({
      event: "request failed",
      request_id: Number(headers["X-Request-Id"]),
      error: { name: "ApiError", cause: { name: "Error", message: "table is gone" } },
    });
    expect(request).toMatchObject({ event: "request", status: 500, code: "INTERNAL_ERROR" });
  });
});

test("a handler that is about to be ended by its timeout answers before", async () => {
  const never: Handle = () => new Promise(() => {});
  const { status, body } = await answerOf(never, {}, 1_500);
  expect({ status, body }).toEqual({ status: 500, body: INTERNAL });
});
