// Hostile requests: each is rejected quickly, with a short response and the right code.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { captureHeaders } from "../../../lib/service/captures/capture-result.ts";
import { rawOptions } from "../../../lib/service/http/api-request.ts";
import { loggableOptions, redactPassword } from "../../../lib/service/usage/loggable-options.ts";
import { parseListOptions, parseStatisticsOptions } from "../../../lib/service/usage/usage-options.ts";
import { aContext, anEvent, apiErrorOf } from "../../support/builders.ts";
import { receivingApiHandler } from "../../support/lambda-streams.ts";

const url = "https://example.com/";
const problems = (sent: unknown) => apiErrorOf(() => parseCaptureOptions(sent)).details ?? {};

test("an object that cannot become text is no flag, and not a 500", () => {
  expect(Object.keys(problems({ url, full_page: { toString: 1 } }))).toEqual(["full_page"]);
});

test.each([[["true"]], [[["1"]]], [[1]]])("a list is no flag: %j", (value) => {
  expect(Object.keys(problems({ url, full_page: value }))).toEqual(["full_page"]);
});

test.each([
  "https:/u:secret@h.example/",
  "https:u:secret@h.example/",
  "https:\\\\u:secret@h.example/",
  "https:/\t/u:secret@h.example/",
])("a password is not kept, however the slashes are written: %j", (address) => {
  expect(redactPassword(address)).toBe("https://u:REDACTED@h.example/");
});

test("the header X-Request-Id is the id in the body", () => {
  const facts = {
    requestId: 5,
    mimeType: "",
    sizeBytes: 0,
    responseTimeMs: 0,
    fromCache: false,
    isTest: false,
    isStale: false,
    usesCache: false,
    finalUrl: null,
    warnings: [],
    problems: [],
    quality: 100,
    statesQuality: false,
    metadata: {},
    statusCode: null,
  };
  expect(captureHeaders(facts, "")).toHaveProperty("X-Request-Id", "5");
});

test("kept text does not end in half a character", () => {
  expect(String(loggableOptions({ html: `a${"😀".repeat(600)}` })["html"]).isWellFormed()).toBe(true);
});

describe("one wrong date is one problem", () => {
  test.each([
    [parseListOptions, { from: "junk", to: "2026-01-01" }],
    [parseListOptions, { from: "2026-01-32", to: "2026-01-31" }],
    [parseStatisticsOptions, { from: "2025-02-29", to: "2025-12-31" }],
  ])("%o %j", (parse, sent) => {
    const { details } = apiErrorOf(() => parse(sent));
    expect([Object.keys(details ?? {}), details?.["from"]?.length]).toEqual([["from"], 1]);
  });
});

test("a question in a message has no full stop after it", () => {
  expect(apiErrorOf(() => parseCaptureOptions({ url, fullpage: 1 })).message).toBe(
    "Option 'fullpage' is not an option; did you mean 'full_page'?",
  );
});

test("a blank before the semicolon of the type changes nothing", async () => {
  const handler = receivingApiHandler((request) => ({ status: 200, body: JSON.stringify(rawOptions(request)) }));
  const event = anEvent({
    httpMethod: "POST",
    headers: { "Content-Type": "application/json ; charset=utf-8" },
    body: '{"a":1}',
  });
  expect((await handler(event, aContext())).body).toBe('{"a":1}');
});
