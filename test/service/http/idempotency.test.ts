// Requests with an idempotency key: which run, which are replayed and which are refused.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { type IdempotentRequest, runOnce } from "../../../lib/service/http/idempotency.ts";
import type { ApiResponse } from "../../../lib/service/http/response.ts";
import { anApiRequest } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

/** A caller that sends one request again and again; `did` counts how often it ran. */
function aCaller() {
  const key = randomUUID();
  const did = { served: 0 };
  const send = async (
    serve: () => Promise<ApiResponse> | ApiResponse,
    parts: Partial<IdempotentRequest> = {},
    at = env,
  ) => {
    const request = anApiRequest({ method: "POST", requestId: 77 });
    const repeatable: IdempotentRequest = {
      request,
      key,
      accountId: 3,
      rawOptions: { url: "https://example.com/" },
      deadline: performance.now() + 300,
      run: async () => {
        did.served++;
        return serve();
      },
      ...parts,
    };
    try {
      return await runOnce(repeatable, at);
    } finally {
      await request.responded();
    }
  };
  return { send, did };
}

const answer: ApiResponse = { status: 200, headers: { ETag: '"a"', "Server-Timing": "auth;dur=1" }, body: "{}" };
const repeated = { status: 200, headers: { ETag: '"a"', "Idempotent-Replayed": "true" }, body: "{}" };

describe("idempotency: a response is replayed", () => {
  test("when the request is sent again", async () => {
    const { send, did } = aCaller();
    expect(await send(() => answer)).toMatchObject(answer);
    expect(await send(() => answer)).toEqual(repeated);
    expect(did).toEqual({ served: 1 });
  });

  test.each([
    ["bytes", Buffer.from([0, 255, 128])],
    ["a text that is too long for an item", "ü".repeat(100_000)],
  ])("with %s", async (_, body) => {
    const { send } = aCaller();
    await send(() => ({ ...answer, body }));
    expect(await send(() => answer)).toEqual({ ...repeated, body: Buffer.from(body) });
  });

  test("of an error with the id of the request that failed", async () => {
    const { send, did } = aCaller();
    const error = new ApiError("SELECTOR_NOT_FOUND", "No element matched.", { details: { selector: ["none"] } });
    await expect(send(() => Promise.reject(error))).rejects.toBe(error);
    const again = await send(() => answer, { request: anApiRequest({ method: "POST", requestId: 78 }) });
    expect(again).toMatchObject({ status: 422, headers: { "X-Request-Id": "77", "Idempotent-Replayed": "true" } });
    expect(JSON.parse(String(again.body))).toMatchObject({ code: "SELECTOR_NOT_FOUND", request_id: 77 });
    expect(did).toEqual({ served: 1 });
  });
});

describe("idempotency: a request runs again", () => {
  test.each([
    ["an unexpected fault of ours", new Error("boom")],
    ["a fault of ours", new ApiError("INTERNAL_ERROR", "The service failed.")],
    ["a capture that took too long", new ApiError("CAPTURE_TIMEOUT", "Too slow.")],
    ["a quota that was used up", new ApiError("QUOTA_EXCEEDED", "Nothing is left.")],
    ["too many requests", new ApiError("RATE_LIMITED", "Too many.")],
  ])("after %s", async (_, error) => {
    const { send, did } = aCaller();
    await expect(send(() => Promise.reject(error))).rejects.toBe(error);
    expect(await send(() => answer)).toMatchObject(answer);
    expect(did).toEqual({ served: 2 });
  });
});

describe("idempotency: a request is refused", () => {
  test("when it differs from the first one with its key", async () => {
    const { send, did } = aCaller();
    await send(() => answer);
    for (const other of [
      { rawOptions: { url: "https://example.org/" } },
      { request: anApiRequest({ path: "/other" }) },
    ]) {
      await expect(send(() => answer, other)).rejects.toMatchObject({ status: 409 });
    }
    expect(did).toEqual({ served: 1 });
  });

  test("when the first one runs longer than it waits", async () => {
    const { send, did } = aCaller();
    const serving = Promise.withResolvers<ApiResponse>();
    const first = send(() => serving.promise);
    await expect.poll(() => did.served).toBe(1);
    await expect(send(() => answer)).rejects.toMatchObject({ status: 409, headers: { "Retry-After": "5" } });
    serving.resolve(answer);
    expect(await first).toMatchObject(answer);
    expect(await send(() => answer)).toEqual(repeated);
    expect(did).toEqual({ served: 1 });
  });
});

test("idempotency: a request without an effect runs again", async () => {
  const { send, did } = aCaller();
  await send(() => answer, { hasEffect: () => false });
  expect(await send(() => answer)).toMatchObject(answer);
  expect(did.served).toBe(2);
});

test("idempotency: a response with secrets is replayed only to its API key", async () => {
  const { send, did } = aCaller();
  await send(() => answer, { encryptionKey: "cap_one" });
  expect(await send(() => answer, { encryptionKey: "cap_one" })).toEqual(repeated);
  await expect(send(() => answer, { encryptionKey: "cap_two" })).rejects.toMatchObject({ status: 409 });
  await expect(send(() => answer)).rejects.toMatchObject({ status: 409 });
  expect(did.served).toBe(1);
});

test("idempotency: a response that cannot be stored is sent all the same", async () => {
  const { send } = aCaller();
  const elsewhere = { ...env, RESULTS_BUCKET: "no-such-bucket" };
  const bytes = { ...answer, body: Buffer.from("png") };
  expect(await send(() => bytes, {}, elsewhere)).toMatchObject(bytes);
});

test("idempotency: two accounts can use the same key", async () => {
  const { send, did } = aCaller();
  await send(() => answer);
  await send(() => answer, { accountId: 4 });
  expect(did).toEqual({ served: 2 });
});
