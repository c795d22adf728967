// Oversized and oddly encoded input: rejected quickly with a short error, or parsed up to its limit.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApiError } from "../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import type { CaptureOptionName } from "../../lib/contract/options/groups/all.ts";
import { tooLong } from "../../lib/contract/options/wording.ts";
import { matchesText } from "../../lib/engine/injected/url-pattern.ts";
import { parseBulk } from "../../lib/service/bulk/parse-bulk.ts";
import { rawOptions } from "../../lib/service/http/api-request.ts";
import { notModifiedIfMatches } from "../../lib/service/http/conditional-response.ts";
import { json } from "../../lib/service/http/response.ts";
import { parseNewKey } from "../../lib/service/keys/key-options.ts";
import { examples, url } from "../contract/options/example-options.ts";
import { aContext, anApiRequest, anEvent, apiErrorOf, FORM_TYPE, JSON_TYPE } from "../support/builders.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { MAX_ERROR_BODY_LENGTH, parseErrorBody } from "../support/fuzzing.ts";
import { receivingApiHandler } from "../support/lambda-streams.ts";
import { IS_SLOW_RUN, sampled } from "../support/slow-run.ts";

/** A function of the service has tens of seconds; what takes more than linear time for a megabyte takes hours. */
const DEADLINE_MS = 10_000;

const MB = 1_000_000;
const many = (text: string, characters = MB) => text.repeat(Math.ceil(characters / text.length));

function expectRefusedAtOnce(action: () => unknown): ApiError {
  const startedAt = performance.now();
  const error = apiErrorOf(action);
  expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS);
  expect(error.code).toBe("VALIDATION_ERROR");
  parseErrorBody(error, MAX_ERROR_BODY_LENGTH / 2);
  return error;
}

/** For each option what would cost its parser most. */
const worst: readonly (readonly [name: CaptureOptionName, what: string, value: unknown])[] = [
  ["pdf_header_template", "pictures without an end", many("<img")],
  ["pdf_header_template", "quotes without an end", many(`<img alt="'`)],
  ["pdf_footer_template", "blanks before data", `url(${many(" ")}data:`],
  ["pdf_footer_template", "blanks after an attribute", `<img src${many(" ")}`],
  ["pdf_footer_template", "escapes", many("\\75 &#117;")],
  ["pdf_margin", "lengths", many("1 ")],
  ["pdf_paper_width", "digits", many("1")],
  ["pdf_page_ranges", "ranges", many("1-2,")],
  ["fail_on_status", "ranges", many("400-500,")],
  [
    "url",
    "characters of many alphabets",
    `http://${Array.from({ length: MB }, (_, at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join("")}`,
  ],
  ["url", "slashes", `http:${many("/")}`],
  ["cookies", "attributes", `a=1${many(";")}`],
  ["cookies", "dates", `a=1; Expires=${many("1 ")}`],
  ["headers", "lines", Array.from({ length: MB / 10 }, () => "a:b")],
  ["headers", "blanks", `a${many(" ")}`],
  ["proxy", "credentials", `http://${many("a:")}@h`],
  ["locale", "subtags", many("de-")],
  ["time_zone", "slashes", many("a/")],
  ["user_agent", "versions", `Android ${many("1.")}`],
  ["viewport_device", "pluses", many("+")],
  ["storage_region", "parts", `${many("a-a")}!`],
  ["storage_path", "parts", many("a/../")],
  ["storage_endpoint", "slashes", `https://a${many("/")}`],
  ["attachment_name", "dots", many(".a")],
  ["image_background", "digits", `rgb(${many("1,")}`],
  ["wait_until", "lists in lists", many("[")],
  ["block_requests", "stars", many("*a")],
  ["delay", "digits", `${many("1")}.`],
  ["external_identifier", "dots", many(".")],
  ["storage_role_arn", "slashes", `arn:aws:iam::123456789012:role/${many("/")}!`],
];

describe("oversized input: the most expensive megabyte is rejected quickly, with a short error:", () => {
  sampled(test, 4).each(worst)("%s of %s", (name, _, value) => {
    const { details = {} } = expectRefusedAtOnce(() =>
      parseCaptureOptions({ ...examples[name].sentWith, [name]: value }),
    );
    expect(Object.keys(details)).toContain(name);
  });

  test("text that is too long, which is not read further", () => {
    const { details } = expectRefusedAtOnce(() => parseCaptureOptions({ url: many(" a"), attachment_name: many("/") }));
    const refusal = (most: number) => [tooLong(most, "characters", MB)];
    expect(details).toEqual({ url: refusal(8_192), attachment_name: refusal(200) });
  });

  test("many thousands of empty lists with unknown names", () => {
    const lists = Array.from({ length: IS_SLOW_RUN ? 100_000 : 20_000 }, (_, index) => [`k${index}`, []]);
    const { details = {} } = expectRefusedAtOnce(() =>
      parseCaptureOptions(Object.fromEntries([["url", url], ...lists])),
    );
    expect(Object.keys(details)).toEqual(Array.from({ length: 50 }, (_, index) => `k${index}`));
  });

  test("a label", () => {
    expectRefusedAtOnce(() => parseNewKey({ label: many("😀") }, 0));
  });

  test("an unknown option's name", () => {
    expectRefusedAtOnce(() => parseCaptureOptions({ url, [many("x")]: 1 }));
  });

  test("many thousands of unknown options", () => {
    const sent = Object.fromEntries(
      Array.from({ length: IS_SLOW_RUN ? 100_000 : 20_000 }, (_, index) => [`k${index}`, 1]),
    );
    expectRefusedAtOnce(() => parseCaptureOptions({ url, ...sent }));
  });

  test("a list of 50,000 different wrong values", () => {
    const wait_until = Array.from({ length: 50_000 }, (_, index) => `x${index}`);
    expectRefusedAtOnce(() => parseCaptureOptions({ url, wait_until }));
  });

  test("lists nested 10,000 deep, as text and as JSON", () => {
    const deep = many("[", 10_000) + many("]", 10_000);
    const sent = { url, wait_until: deep, delay: JSON.parse(deep), selector: JSON.parse(deep) };
    const { details = {} } = expectRefusedAtOnce(() => parseCaptureOptions(sent));
    expect(Object.keys(details).sort()).toEqual(["delay", "selector", "wait_until"]);
  });

  test("twenty errors of every kind, with a bounded response", () => {
    const wrong = Object.fromEntries(
      Object.keys(examples).map((name) => [name, Array.from({ length: 30 }, (_, at) => [`${at}${many("x", 100)}`])]),
    );
    const error = apiErrorOf(() => parseBulk({ options: wrong, requests: Array.from({ length: 20 }, () => ({})) }));
    parseErrorBody(error, 20 * MAX_ERROR_BODY_LENGTH);
  });
});

test("oversized input: a form that repeats a field 300,000 times is parsed quickly", () => {
  const body = many("a=&", 900_000);
  expect(rawOptions(anApiRequest({ method: "POST", headers: FORM_TYPE, body }))["a"]).toHaveLength(300_000);
});

test("oversized input: 10,000 query parameters are parsed quickly, in their order", () => {
  const query = Array.from({ length: 10_000 }, (_, index) => ["click", String(index)] as const);
  expect(rawOptions(anApiRequest({ query }))["click"]).toEqual(query.map(([, value]) => value));
});

test("oversized input: an If-None-Match of a megabyte is parsed quickly", () => {
  const answer = { status: 200, headers: { ETag: '"a"' } };
  expect(notModifiedIfMatches(answer, `"${many("W/")}`).status).toBe(200);
});

describe("oversized input: a page cannot delay a capture beyond its timeout", () => {
  test("by a URL that nearly matches a pattern of many stars", () => {
    const startedAt = performance.now();
    expect(matchesText(`${many("*a", 1_000)}b`, `https://a.example/${many("a")}`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS);
  });

  test("by a title that nearly matches a bot challenge", async () => {
    const title = many("Sorry, you have been blocked ", 3 * MB);
    const server = createServer((_, answer) =>
      answer.writeHead(403, { "content-type": "text/html" }).end(`<title>${title}</title>`),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code } = await failureOf(captureWith({ url: `http://${hostPort}/`, timeout: 20 }, { allow: [hostPort] }));
    server.close();
    expect(code).toBe("TARGET_HTTP_ERROR");
  });
});

describe("oversized input: a body", () => {
  const handler = receivingApiHandler((request) => json(200, rawOptions(request)));
  beforeEach(() => {
    vi.spyOn(console, "log").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function post(type: string, body: string | Buffer) {
    const isBinary = typeof body !== "string";
    const parts = { body: isBinary ? body.toString("base64") : body, isBase64Encoded: isBinary };
    const startedAt = performance.now();
    const answer = await handler(
      anEvent({ httpMethod: "POST", headers: { "Content-Type": type }, ...parts }),
      aContext(),
    );
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS);
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  }

  const JSON_BODY = JSON_TYPE["content-type"];
  const FORM_BODY = FORM_TYPE["content-type"];

  test.each([
    ["with a number beyond all numbers", JSON_BODY, '{"a":1e999}', { a: null }],
    ["with the same name twice", JSON_BODY, '{"a":1,"a":2}', { a: 2 }],
    ["that came as base64", JSON_BODY, Buffer.from('{"a":"é"}'), { a: "é" }],
    ["that is a form and came as base64", FORM_BODY, Buffer.from("a=%C3%A9&b=+"), { a: "é", b: " " }],
    ["with NUL", FORM_BODY, "a=%00", { a: "\0" }],
    ["that begins with a mark of the byte order", JSON_BODY, '\ufeff{"a":1}', { a: 1 }],
    ["of many charsets that are UTF-8", `${JSON_BODY}${many(";charset=utf-8")}`, '{"a":1}', { a: 1 }],
    ["with parameters of a type that never end", `${JSON_BODY};${many("a")}`, '{"a":1}', { a: 1 }],
  ])("%s is parsed", async (_, type, body, read) => {
    expect(await post(type, body)).toEqual({ status: 200, body: read });
  });

  test.each([
    ["with bytes that are no UTF-8", JSON_BODY, Buffer.from('{"a":"\xff\xc0\xaf"}', "latin1"), 400],
    ["that is a form with bytes that are no UTF-8", FORM_BODY, many("a=%FF%C0%AF&"), 400],
    ["that is a form of percent signs", FORM_BODY, many("%"), 400],
    ["with a charset that is not read", `${JSON_BODY}; charset=${many("utf-16")}`, '{"a":1}', 415],
    ["in UTF-16", JSON_BODY, Buffer.from('{"a":1}', "utf16le"), 400],
    ["that is packed", JSON_BODY, gzipSync('{"a":1}'), 400],
    ["that is no number", JSON_BODY, '{"a":NaN}', 400],
    ["with NUL around", JSON_BODY, '\0{"a":1}', 400],
    ["of lists 1,000,000 deep", JSON_BODY, many("["), 400],
    ["of objects 100,000 deep", JSON_BODY, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, 400],
    ["that is JSON by another name", "text/json", "{}", 415],
    ["that is a script", "application/javascript", "{}", 415],
    ["of two types", "application/json, text/plain", "{}", 415],
    ["of a type that is a megabyte", `application/${many("+")}json!`, "{}", 415],
    ["of a type in a megabyte of blanks", `application/json${many(" ")}x`, "{}", 415],
    ["in parts", "multipart/form-data; boundary=a", "--a--", 415],
  ])("%s is rejected", async (_, type, body, status) => {
    const answer = await post(type, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
  });
});
