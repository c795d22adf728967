// The typed client without a service: its settings, and how long it repeats what fails.
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  ConnectionError,
  GoneError,
  type Retry,
  ScreenCapture,
  type ScreenCaptureError,
} from "../../clients/typescript/src/index.ts";
import { errorBody, type ScriptedAnswer, startScriptedService } from "../support/scripted-service.ts";

/** A client of a service that gives one answer after the other. */
async function serve(...answers: readonly ScriptedAnswer[]) {
  const { baseUrl, received } = await startScriptedService(...answers);
  return { client: new ScreenCapture({ key: "cap_x", baseUrl }), received };
}

const target = { http_status_code: 503, net_error: null, final_url: "https://example.com/" };
const busy = errorBody("TARGET_HTTP_ERROR", { retryable: true, target });
const lost: ScriptedAnswer = [0, ""];
const ok: ScriptedAnswer = [200, "png"];
const page = { url: "https://example.com" };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: ScreenCaptureError) => thrown,
  );

describe("client: a retry", () => {
  test("isn't made for a page that took too long", async () => {
    const { client, received } = await serve([504, errorBody("CAPTURE_TIMEOUT", { target })]);
    expect(await failureOf(client.capture({ ...page, timeout: 5 }))).toMatchObject({ code: "CAPTURE_TIMEOUT" });
    expect(received).toHaveLength(1);
  });

  test("of a capture has what is left of its timeout, under a name of its own", async () => {
    const { client, received } = await serve([422, busy, { "Retry-After": "1" }], ok);
    const retries: Retry[] = [];
    await client.capture({ ...page, timeout: 30 }, { onRetry: (retry) => retries.push(retry) });
    const [first, second] = received;
    expect([first?.body["timeout"], second?.body["timeout"]]).toEqual([30, expect.any(Number)]);
    expect(second?.body["timeout"]).toBeLessThan(30);
    expect(second?.headers["idempotency-key"]).not.toBe(first?.headers["idempotency-key"]);
    expect(retries).toMatchObject([{ attempt: 2, attempts: 3, delayMs: 1000, error: { code: "TARGET_HTTP_ERROR" } }]);
  });

  test.each([
    ["longer than its timeout", { timeout: 2 }, {}, { "Retry-After": "3" }],
    ["so long that less than a second is left", { timeout: 2 }, {}, { "Retry-After": "1.5" }],
    ["so long that its delay doesn't fit any more", { timeout: 9, delay: 8 }, {}, { "Retry-After": "1" }],
    ["longer than timeoutMs", {}, { timeoutMs: 2_000 }, { "Retry-After": "3" }],
  ])("isn't made where the page asks for a wait %s", async (_, options, call, headers) => {
    const { client, received } = await serve([422, busy, headers], ok);
    expect(await failureOf(client.store({ ...page, ...options }, call))).toMatchObject({ code: "TARGET_HTTP_ERROR" });
    expect(received).toHaveLength(1);
  });

  test("asks again for the same capture where its answer was lost, or runs under the caller's name", async () => {
    const afterLoss = await serve(lost, [409, errorBody("CONFLICT"), { "Retry-After": "0.1" }], ok);
    await afterLoss.client.capture({ ...page, timeout: 60 });
    expect(
      new Set(afterLoss.received.map(({ headers, body }) => `${headers["idempotency-key"]} ${body["timeout"]}`)).size,
    ).toBe(1);
    const named = await serve([422, busy, { "Retry-After": "0.1" }], ok);
    await named.client.capture({ ...page, timeout: 60 }, { idempotencyKey: "order-7" });
    expect(named.received.map(({ headers, body }) => [headers["idempotency-key"], body["timeout"]])).toEqual([
      ["order-7", 60],
      ["order-7", 60],
    ]);
  });

  test("leaves the timeout of an asynchronous capture as it is", async () => {
    const limited = errorBody("RATE_LIMITED", { retryable: true });
    const { client, received } = await serve([429, limited, { "Retry-After": "0.1" }], [202, { request_id: 1 }]);
    await client.enqueue({ ...page, timeout: 30 });
    expect(received.map(({ body }) => body["timeout"])).toEqual([30, 30]);
  });

  test("waits for the page as the state of an asynchronous capture says", async () => {
    const { client } = await serve([
      200,
      { status: "failed", error: { ...busy, target: { ...target, retry_after: 9 } } },
    ]);
    expect(await failureOf(client.wait(7))).toMatchObject({ retryable: true, retryAfterS: 9 });
    const gone = errorBody("TARGET_HTTP_ERROR", { target: { ...target, http_status_code: 404, retry_after: 9 } });
    const other = await serve([422, gone], ok);
    expect(await failureOf(other.client.capture(page))).toMatchObject({ retryAfterS: undefined });
    expect(other.received).toHaveLength(1);
  });
});

describe("client: its settings", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  test("come from the environment unless they are given", async () => {
    const { client, received } = await serve([200, {}]);
    vi.stubEnv("SCREEN_CAPTURE_URL", `${client.baseUrl}/`);
    vi.stubEnv("SCREEN_CAPTURE_KEY", "cap_environment");
    await new ScreenCapture().account();
    await new ScreenCapture({ key: "cap_given" }).account();
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer cap_environment",
      "Bearer cap_given",
    ]);
  });

  test("that are missing are named, also where there is no environment", async () => {
    vi.stubEnv("SCREEN_CAPTURE_URL", "");
    vi.stubEnv("SCREEN_CAPTURE_KEY", "");
    const missing = /pass 'baseUrl'.* or set SCREEN_CAPTURE_URL.*pass 'key', or set SCREEN_CAPTURE_KEY/;
    expect(() => new ScreenCapture()).toThrow(missing);
    expect(() => new ScreenCapture({ key: "cap_x" })).toThrow(/SCREEN_CAPTURE_URL\.$/);
    const failure = await failureOf(new ScreenCapture({ baseUrl: "http://127.0.0.1:9" }).account());
    expect(failure?.message).toContain("or set SCREEN_CAPTURE_KEY");
    vi.stubGlobal("process", undefined);
    expect(() => new ScreenCapture()).toThrow(missing);
    const forbidden = {
      get env(): never {
        throw new Error("Requires env access.");
      },
    };
    vi.stubGlobal("process", forbidden);
    expect(() => new ScreenCapture()).toThrow(missing);
  });

  test("don't help in a runtime that is too old, which the error names", () => {
    vi.stubGlobal("crypto", undefined);
    expect(() => new ScreenCapture({ baseUrl: "http://127.0.0.1:9" })).toThrow("needs Node.js 20.17 or later");
  });
});

test("client: a link has no webhook", async () => {
  const client = new ScreenCapture({ baseUrl: "http://127.0.0.1:9", keyId: 7, signingSecret: "whsec_x" });
  const options = { ...page, webhook_url: "https://you.example" };
  expect(await failureOf(Promise.try(() => client.link(options)))).toMatchObject({
    message: expect.stringContaining("no webhook"),
  });
});

describe("client: an error of the client itself", () => {
  const baseUrl = "http://127.0.0.1:9"; // nothing answers there

  test("says that the base URL isn't one", () => {
    for (const missing of [undefined, ""]) {
      expect(() => new ScreenCapture({ key: "cap_x", baseUrl: missing })).toThrow("is missing: pass 'baseUrl'");
    }
    for (const wrong of ["api.example.com", "ftp://api.example.com", "https://", "http:///x"]) {
      expect(() => new ScreenCapture({ baseUrl: wrong })).toThrow("'baseUrl' isn't a URL");
    }
  });

  test("says when the key is missing, and what a link needs", async () => {
    await expect(new ScreenCapture({ baseUrl }).account()).rejects.toThrow("needs the 'key'");
    expect(() => new ScreenCapture({ baseUrl }).link(page)).toThrow("'keyId' and 'signingSecret'");
    const client = new ScreenCapture({ key: "cap_x", keyId: 1, signingSecret: "whsec_eA==", baseUrl });
    expect(() => client.link(page, { expiresInS: 400 * 86_400 })).toThrow("at most 366 days");
  });

  test("doesn't contain the key", async () => {
    const { client } = await serve([401, errorBody("UNAUTHORIZED")]);
    const thrown = await failureOf(client.account());
    expect(thrown).toMatchObject({ code: "UNAUTHORIZED" });
    expect(inspect([thrown, client])).not.toContain("cap_x");
    expect(() => new ScreenCapture({ key: "cap_se\ncret", baseUrl })).toThrow(
      /^'key' isn't an API key: .*without spaces.$/,
    );
  });

  test("says when nothing answers, after no more attempts than allowed, and has the reason of the caller's signal", async () => {
    const { client, received } = await serve(lost);
    expect(await failureOf(client.account({ retries: 1 }))).toBeInstanceOf(ConnectionError);
    expect(received).toHaveLength(2);
    const reason = new Error("Enough.");
    await expect(client.capture(page, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const missing = await serve([404, errorBody("NOT_FOUND")]);
    expect(await failureOf(missing.client.get(1))).toMatchObject({ code: "NOT_FOUND" });
    expect([received.length, missing.received.length]).toEqual([2, 1]);
  });
});

test("client: its types refuse what the service would refuse", () => {
  const client = new ScreenCapture({ baseUrl: "http://127.0.0.1:9" });
  /** Never called: the type check of this file is the test. */
  const wrong = () => [
    // @ts-expect-error: nothing to capture
    client.capture({ full_page: true }),
    // @ts-expect-error: two inputs
    client.capture({ url: "https://example.com", html: "<p>" }),
    // @ts-expect-error: a misspelled option
    client.capture({ url: "https://example.com", fullpage: true }),
    // @ts-expect-error: an unknown format
    client.store({ url: "https://example.com", format: "bmp" }),
    // @ts-expect-error: the method decides this option
    client.capture({ url: "https://example.com", async: true }),
  ];
  const typed = (thrown: unknown): "GONE" | undefined => (thrown instanceof GoneError ? thrown.code : undefined);
  expect([typeof wrong, typed(new Error("Other."))]).toEqual(["function", undefined]);
});
