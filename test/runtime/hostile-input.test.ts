// Requests nobody sends by mistake: each is refused quickly, shortly and with the right code.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";
import { captureHeaders } from "../../lib/contract/results.ts";
import { parseListOptions, parseStatisticsOptions } from "../../lib/contract/usage-options.ts";
import { apiHandler } from "../../lib/runtime/api-handler.ts";
import { queryOptions, sentOptions } from "../../lib/runtime/api-request.ts";
import { loggableOptions, withoutPassword } from "../../lib/usage/loggable-options.ts";
import { aContext, anApiRequest, anEvent, apiErrorOf, FORM_TYPE } from "../support/builders.ts";

const url = "https://example.com/";
const problems = (sent: unknown) => apiErrorOf(() => parseCaptureOptions(sent)).details ?? {};

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "an unknown option %s is refused, not a 500",
  (name) => {
    const sent = queryOptions(
      anApiRequest({
        query: [
          ["url", url],
          [name, "1"],
        ],
      }),
    );
    expect(Object.entries(problems(sent))).toEqual([[name, ["is not an option"]]]);
  },
);

test("an object that cannot become text is no flag, and not a 500", () => {
  expect(Object.keys(problems({ url, full_page: { toString: 1 } }))).toEqual(["full_page"]);
});
test.each([[["true"]], [[["1"]]], [[1]]])("a list is no flag: %j", (value) => {
  expect(Object.keys(problems({ url, full_page: value }))).toEqual(["full_page"]);
});

test("a list nested 10,000 deep is refused, not a 500", () => {
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  expect(
    Object.keys(problems({ url, wait_until: deep, delay: JSON.parse(deep), selector: JSON.parse(deep) })).sort(),
  ).toEqual(["delay", "selector", "wait_until"]);
});

test("a form that repeats a field 300,000 times is read at once", () => {
  expect(sentOptions(anApiRequest({ method: "POST", headers: FORM_TYPE, body: "a=&".repeat(300_000) })).a).toHaveLength(
    300_000,
  );
});
test("a list of 50,000 different wrong values is refused at once, in a short answer", () => {
  const wait_until = Array.from({ length: 50_000 }, (_, index) => `x${index}`);
  expect(JSON.stringify(problems({ url, wait_until })).length).toBeLessThan(20_000);
});

test("100,000 unknown options are refused in a short answer", () => {
  const sent = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
  expect(JSON.stringify(problems({ url, ...sent })).length).toBeLessThan(20_000);
});
test("an unknown option with a name of a million characters is refused in a short answer", () => {
  const { message, details } = apiErrorOf(() => parseCaptureOptions({ url, ["x".repeat(1_000_000)]: 1 }));
  expect((message + JSON.stringify(details)).length).toBeLessThan(1_000);
});

test.each([
  "https:/u:secret@h.example/",
  "https:u:secret@h.example/",
  "https:\\\\u:secret@h.example/",
  "https:/\t/u:secret@h.example/",
])("a password is not kept, however the slashes are written: %j", (address) => {
  expect(withoutPassword(address)).toBe("https://u:REDACTED@h.example/");
});

test("the header X-Request-Id is the id in the body", () => {
  const facts = {
    requestId: 5,
    mimeType: "",
    sizeBytes: 0,
    responseTimeMs: 0,
    fromCache: false,
    isStale: false,
    usesCache: false,
    finalUrl: null,
    warnings: [],
    metadata: {},
    statusCode: null,
  };
  expect(captureHeaders(facts, "")).toHaveProperty("X-Request-Id", "5");
});

test("kept text does not end in half a character", () => {
  expect(String(loggableOptions({ html: `a${"😀".repeat(600)}` }).html).isWellFormed()).toBe(true);
});

describe("one wrong date is one problem", () => {
  test.each([
    [parseListOptions, { from: "junk", to: "2026-01-01" }],
    [parseListOptions, { from: "2026-01-32", to: "2026-01-31" }],
    [parseStatisticsOptions, { from: "2025-02-29", to: "2025-12-31" }],
  ])("%o %j", (parse, sent) => {
    const { details } = apiErrorOf(() => parse(sent));
    expect([Object.keys(details ?? {}), details?.from?.length]).toEqual([["from"], 1]);
  });
});

test("a question in a message has no full stop after it", () => {
  expect(apiErrorOf(() => parseCaptureOptions({ url, fullpage: 1 })).message).toBe(
    "Option 'fullpage' is not an option; did you mean 'full_page'?",
  );
});

test("a blank before the semicolon of the type changes nothing", async () => {
  const handler = apiHandler((request) => ({ status: 200, body: JSON.stringify(sentOptions(request)) }));
  const event = anEvent({
    httpMethod: "POST",
    headers: { "Content-Type": "application/json ; charset=utf-8" },
    body: '{"a":1}',
  });
  expect((await handler(event, aContext())).body).toBe('{"a":1}');
});
