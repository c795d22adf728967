// Injection: prototype pollution, log and header injection, separators in table keys, terminal escapes.
import { validateHeaderValue } from "node:http";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { queueText } from "../../lib/service/aws/queue-text.ts";
import * as keys from "../../lib/service/aws/table-keys.ts";
import { parseBulk } from "../../lib/service/bulk/parse-bulk.ts";
import { captureHeaders, captureResult } from "../../lib/service/captures/capture-result.ts";
import { rawOptions } from "../../lib/service/http/api-request.ts";
import { json } from "../../lib/service/http/response.ts";
import { parseNewKey } from "../../lib/service/keys/key-options.ts";
import { hashJson } from "../../lib/service/platform/hash-json.ts";
import { parseId } from "../../lib/service/platform/ids.ts";
import { logError, logInfo } from "../../lib/service/platform/log.ts";
import { contentDisposition } from "../../lib/service/results/content-disposition.ts";
import { webhookRequest } from "../../lib/service/webhooks/webhook-request.ts";
import { startSite } from "../fixtures/site.ts";
import { aContext, anEvent, apiErrorOf, FORM_TYPE, JSON_TYPE } from "../support/builders.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { anyText, holds, nasty } from "../support/fuzzing.ts";
import { receivingApiHandler } from "../support/lambda-streams.ts";
import { sampled } from "../support/slow-run.ts";

const url = "https://example.com/";

/** What is printed, as a line-by-line reader gets it; Node takes more characters for ends of lines than `\n`. */
async function linesOf(action: () => unknown): Promise<string[]> {
  const printed: string[] = [];
  const print = (entry: unknown) => void printed.push(`${JSON.stringify(entry)}\n`);
  const spies = [
    vi.spyOn(console, "log").mockImplementation(print),
    vi.spyOn(console, "error").mockImplementation(print),
  ];
  await action();
  for (const spy of spies) spy.mockRestore();
  const lines: string[] = [];
  for await (const line of createInterface({ input: Readable.from(printed) })) lines.push(line);
  return lines;
}

describe("injection: no prototype pollution by", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();

  afterEach(() => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const handler = receivingApiHandler((request) => {
    const options = parseCaptureOptions(rawOptions(request));
    return json(
      200,
      Object.keys(options).filter((name) => /proto|constructor|polluted/.test(name)),
    );
  });
  const post = (type: Record<string, string>, body: string) => anEvent({ httpMethod: "POST", headers: type, body });
  const get = (query: Record<string, string[]>) =>
    anEvent({ multiValueQueryStringParameters: { url: [url], ...query } });
  const own = (name: string) => Object.fromEntries([[name, ["1"]]]);

  test.each([
    ["JSON", post(JSON_TYPE, `{"url":"${url}","__proto__":{"polluted":1}}`), 422],
    ["JSON with an escape", post(JSON_TYPE, `{"url":"${url}","\\u005f\\u005fproto__":{"polluted":1}}`), 422],
    ["JSON deep inside", post(JSON_TYPE, `{"url":"${url}","headers":{"a":{"__proto__":{"polluted":1}}}}`), 422],
    ["a constructor", post(JSON_TYPE, `{"url":"${url}","constructor":{"prototype":{"polluted":1}}}`), 422],
    [
      "a base64 body",
      { ...post(JSON_TYPE, btoa(`{"url":"${url}","__proto__":{"polluted":1}}`)), isBase64Encoded: true },
      422,
    ],
    [
      "cookies as JSON in a form",
      post(FORM_TYPE, `url=${url}&cookies={"name":"a","value":"b","__proto__":{"polluted":1}}`),
      422,
    ],
    ["headers as JSON in a form", post(FORM_TYPE, `url=${url}&headers={"__proto__":{"polluted":1}}`), 422],
    ["a list as JSON in a form", post(FORM_TYPE, `url=${url}&click=[{"__proto__":{"polluted":1}}]`), 422],
    ["a form", post(FORM_TYPE, `url=${url}&__proto__=1`), 422],
    ["brackets in a form", post(FORM_TYPE, `url=${url}&__proto__[polluted]=1&constructor[prototype][polluted]=1`), 422],
    ["a list in a form", post(FORM_TYPE, `url=${url}&__proto__[]=1`), 422],
    ["a query", get(own("__proto__")), 422],
    ["brackets in a query", get({ "__proto__[polluted]": ["1"], "constructor.prototype.polluted": ["1"] }), 422],
    ["a header", { ...get({}), headers: JSON.parse('{"__proto__":"polluted","constructor":"polluted"}') }, 200],
  ])("%s", async (_, event, status) => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const answer = await handler(event, aContext());
    vi.restoreAllMocks();
    expect(answer.statusCode).toBe(status);
    expect(Object.getPrototypeOf(JSON.parse(answer.body))).toBe(status === 200 ? Array.prototype : Object.prototype);
    if (status === 200) expect(JSON.parse(answer.body)).toEqual([]);
  });

  test("the options of a bulk request, each or all", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const { details } = apiErrorOf(() => parseBulk({ options: hostile, requests: [hostile, { url }] }));
    expect(Object.keys(details ?? {}).sort()).toEqual(
      [
        "requests.0.__proto__",
        "requests.0.constructor",
        "requests.0.url",
        "requests.1.__proto__",
        "requests.1.constructor",
      ].sort(),
    );
  });

  test("the names of a page's properties", () => {
    const metadata = JSON.parse(
      '{"open_graph":{"__proto__":"a","constructor":"b"},"http_response":{"headers":{"__proto__":"c"}}}',
    );
    const facts = {
      requestId: 1,
      mimeType: "",
      sizeBytes: 0,
      responseTimeMs: 0,
      fromCache: false,
      isTest: false,
      isStale: false,
      warnings: [],
      problems: [],
      quality: 100,
      statesQuality: false,
      metadata,
    };
    const reported = JSON.stringify(captureResult(facts, { url: "", expiresAt: 0 }));
    expect(JSON.parse(reported).metadata).toEqual(metadata);
    expect(hashJson(metadata)).not.toBe(hashJson({ ...metadata, open_graph: {} }));
  });
});

describe("injection: a log entry is one line of JSON without terminal control characters, when", () => {
  const unsafe = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;

  test.each(nasty.map((text) => [JSON.stringify(text), text]))("a field is %s", async (_, text) => {
    const lines = await linesOf(() => logInfo("request", { path: text }));
    expect(lines.map((line) => [JSON.parse(line), unsafe.test(line)])).toEqual([
      [{ event: "request", path: text }, false],
    ]);
  });

  const anyScalar = fc.oneof(anyText(), fc.constantFrom(null, true, false, 0, 1e300, 2 ** 53, 0.1));

  test("fields are any text, number, or other scalar", async () => {
    const property = fc.asyncProperty(anyScalar, anyText(), async (value, message) => {
      const lines = await linesOf(() => logError(message, new Error(message), { value }));
      expect(lines.map((line) => [JSON.parse(line), unsafe.test(line)])).toEqual([
        [expect.objectContaining({ event: message, value }), false],
      ]);
    });
    await holds(property);
  });

  test("an error is its own cause", async () => {
    const error = new Error("a");
    error.cause = new Error("b", { cause: error });
    expect(
      (await linesOf(() => logError("failed", error))).map((line) => JSON.parse(line).error.cause.message),
    ).toEqual(["b"]);
  });

  test("an error repeats a megabyte of a page", async () => {
    const [line = ""] = await linesOf(() => logError("failed", new Error("x".repeat(1e6))));
    expect([line.length < 40_000, JSON.parse(line).error.message.slice(0, 3)]).toEqual([true, "xxx"]);
  });
});

describe("injection: headers are printable and within the size limit, when", () => {
  const plain = {
    requestId: 1,
    mimeType: "image/png",
    sizeBytes: 1,
    responseTimeMs: 1,
    fromCache: false,
    isTest: false,
    isStale: false,
    usesCache: true,
    finalUrl: url as string | null,
    warnings: [] as string[],
    problems: [],
    quality: 100,
    statesQuality: false,
    metadata: {},
    statusCode: 200,
  };
  const blocked = (platform: string) => ({
    requests: 1,
    dialogs: 0,
    unlocked: true,
    cookie_banner: { platform, closed_by: "hiding" as const },
  });

  /** What API Gateway leaves of 10,240 bytes to these headers, in addition to those that every answer has. */
  function expectSendable(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderValue(name, value);
      expect(value).toMatch(/^[\x20-\x7e]*$/);
    }
    const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
    expect(bytes).toBeLessThan(10_240 - 1_000);
  }

  test.each(nasty.map((text) => [JSON.stringify(text), text]))("a page or a caller sends %s", (_, text) => {
    const facts = {
      ...plain,
      finalUrl: url + text,
      storageLocation: url + text,
      warnings: [text, text],
      problems: [],
      quality: 100,
      statesQuality: false,
      metadata: { page_title: text, blocked: blocked(text) },
    };
    expectSendable({ ...captureHeaders(facts, ""), "Content-Disposition": contentDisposition(text) });
  });

  test("every value is as long as possible", () => {
    const [long, wide] = ["a".repeat(3_900), "漢".repeat(1_000)];
    const facts = {
      ...plain,
      finalUrl: url + long,
      storageLocation: url + long,
      warnings: [wide],
      problems: [],
      quality: 100,
      statesQuality: false,
      metadata: { page_title: wide, blocked: blocked(wide) },
    };
    const headers = {
      ...captureHeaders(facts, "capture;dur=1234, ".repeat(8)),
      "Content-Disposition": contentDisposition("漢".repeat(200)),
    };
    expectSendable(headers);
    expect(headers).toMatchObject({ "X-Storage-Location": url + long, "X-Warnings": expect.any(String) });
  });

  test("a webhook is sent with them", () => {
    const job = { id: 1, account_id: 2, status: "success", finished_at: "2026-01-31T00:00:00.000Z" } as const;
    for (const text of nasty) {
      const { headers, body } = webhookRequest(job, { state: { title: text }, secrets: ["whsec_YQ=="], now: 0 });
      expectSendable(headers);
      expect(JSON.parse(body).data).toEqual({ title: text });
    }
  });
});

describe("injection: a part of a key cannot contain a separator", () => {
  const options = (sent: object) => () => parseCaptureOptions({ url, cache: true, ...sent });

  test.each(["a#b", "a/b", "../a", "*", "a\nb", "a b", "é", "\u202ea", "~"])("%j is rejected as a name", (name) => {
    expect(Object.keys(apiErrorOf(options({ external_identifier: name })).details ?? {})).toEqual([
      "external_identifier",
    ]);
    expect(Object.keys(apiErrorOf(options({ cache_key: name })).details ?? {})).toEqual(["cache_key"]);
  });

  test.each([
    "1#2",
    "*",
    "1e3",
    "+1",
    "-1",
    "0x1",
    "1.5",
    "01",
    " 1",
    "1\n",
    "١",
    "Infinity",
    "1e+21",
    "9007199254740993",
    "",
  ])("%j is rejected as an id", (text) => {
    expect(parseId(text)).toBeNaN();
  });

  test.each(nasty.map((text) => [JSON.stringify(text), text]))(
    "an Idempotency-Key %s is stored as a hash",
    (_, text) => {
      expect(keys.responseKey(3, hashJson(text))).toEqual({
        pk: "ANSWERS#3",
        sk: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    },
  );

  test.each(["\u202eabc", "a\u2066b", "a\u2028b", "a\u2029b", "a\u200fb", "a\x85b", "a\x1b[31mb", "\ud800"])(
    "the label %j is rejected as misleading",
    (label) => {
      expect(apiErrorOf(() => parseNewKey({ label }, 0)).details).toEqual({
        label: ["must be one line without control characters"],
      });
    },
  );
});

/** #x9, #xA, #xD, #x20 to #xD7FF, #xE000 to #xFFFD and #x10000 to #x10FFFF, says the reference of SendMessage. */
const TAKEN_BY_SQS = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

test("injection: SQS delivers a message with any characters unchanged", () => {
  const text = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit, 0x20)).join("");
  const message = { options: { inline: { html: `${text}\u{10ffff}` } } };
  expect(TAKEN_BY_SQS.test(queueText(message))).toBe(true);
  expect(TAKEN_BY_SQS.test(JSON.stringify(message))).toBe(false);
  expect(JSON.parse(queueText(message))).toEqual(message);
});

describe("injection: Chromium gets what callers send, and its errors are not internal errors", () => {
  let site: Awaited<ReturnType<typeof startSite>>;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const cookie = (parts: object) => ({ cookies: [{ name: "a", value: "b", ...parts }] });

  // One page for all that Chromium takes as it is: each of these was an error of its protocol somewhere.
  test("text that no header, cookie or script should have", async () => {
    const odd = "é😀\ud800\u2028x";
    const options = {
      url: `${site.origin}/plain`,
      user_agent: odd,
      headers: { "X-A": odd },
      authorization: odd,
      referer: `https://a.example/${odd}`,
      cookies: [
        { name: "a", value: "\ud800" },
        { name: "b", value: "x", expires: 1e308 },
        { name: "c", value: "x", expires: -1e308 },
      ],
      hide_selectors: ["\ud800"],
      styles: ["\ud800</style>"],
      scripts: ["'\ud800'; /*\u2028*/"],
      wait_for_expression: "'\ud800'",
      block_requests: ["\ud800*\0"],
      ignore_host_errors: true,
    };
    expect((await captureWith(options, { allow: [site.hostPort] })).body.length).toBeGreaterThan(0);
    const { headers = {} } = site.requests.findLast(({ path }) => path === "/plain") ?? {};
    expect(headers).not.toHaveProperty("y");
  });

  sampled(test.concurrent, 3).each([
    ["a cookie with a line in its value", cookie({ value: "b\r\nX: y" }), "the browser refuses 'a'"],
    ["a cookie with a line in its path", cookie({ path: "/\r\n;x" }), "the browser refuses 'a'"],
    ["a cookie for no domain", cookie({ domain: "[::1" }), "the browser refuses 'a'"],
  ])("%s is rejected", async (_, options, message) => {
    const error = await failureOf(captureWith({ url: `${site.origin}/plain`, ...options }, { allow: [site.hostPort] }));
    expect([error.code, error.details]).toEqual(["VALIDATION_ERROR", { cookies: [message] }]);
  });

  test("a cookie with an infinite expiry, as JSON can write it, is rejected earlier", () => {
    const cookies = '[{"name":"a","value":"b","expires":1e999}]';
    expect(Object.keys(apiErrorOf(() => parseCaptureOptions({ url, cookies })).details ?? {})).toEqual(["cookies"]);
  });
});
