// Failed captures: the error code, a log entry, and the next capture works.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { closedPort, startTrap } from "../../fixtures/site.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sample, sampled, slowTest } from "../../support/slow-run.ts";

const { site, baseUrl } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

/** Failing pages are captured concurrently: a failure costs waiting rather than work. Each has an account of its own. */
describe.concurrent.each([
  ["an error status", "/not-found", {}, 422, "TARGET_HTTP_ERROR", 404],
  ["an error status without a body", "/empty-500", {}, 422, "TARGET_HTTP_ERROR", 500],
  ["no answer", "/never-answers", { timeout: "2" }, 504, "CAPTURE_TIMEOUT", null],
  ["a download", "/download", {}, 422, "TARGET_UNREACHABLE", 200],
  ["an endless script", "/script-for-ever", { timeout: "4" }, 504, "CAPTURE_TIMEOUT", 200],
  [
    "an endless navigation",
    "/navigates-for-ever",
    { timeout: "3" },
    504,
    "CAPTURE_TIMEOUT",
    expect.toBeOneOf([200, null]),
  ],
  ["a missing element", "/box", { selector: "#nothing", timeout: "8" }, 422, "SELECTOR_NOT_FOUND", null],
  ["too much memory", "/uses?way=arrays&amount=4000", { delay: "15", timeout: "28" }, 422, "TARGET_TOO_LARGE", 200],
])("errors: a page with %s", (_, path, options, status, code, targetStatus) => {
  test(`fails with ${code} and is logged`, async ({ expect }) => {
    const client = await openClient();
    const response = await client.capture({ url: `${site}${path}`, ...options });
    const error = await response.json();
    expect([response.status, error.code]).toEqual([status, code]);
    const [log] = await client.logs();
    expect(log).toMatchObject({
      id: error.request_id,
      url: `${site}${path}`,
      status: "failed",
      http_status_code: targetStatus,
      file_size_bytes: 0,
      error_message: `${code}: ${error.error}`,
    });
  });
});

/** One of each code, and then those that fail in another way or take longer, which the tests of their steps have as well. */
const failures: readonly [
  code: string,
  path: string,
  Record<string, string>,
  number,
  detail: string,
  reported: string,
][] = [
  ["SCRIPT_FAILED", "/box", { scripts: "throw new Error('boom')" }, 422, "scripts", "Error: boom (line 1)"],
  ["SCRIPT_FAILED", "/box", { scripts: "location.href = '/bands'" }, 422, "scripts", "navigated to another page"],
  ["SELECTOR_NOT_FOUND", "/box", { click: "#never", timeout: "8" }, 422, "click", "'#never'"],
  [
    "CONTENT_RULE_FAILED",
    "/csp",
    { fail_if_content_contains: "strict content" },
    422,
    "fail_if_content_contains",
    "strict content",
  ],
  ["CONTENT_RULE_FAILED", "/csp", { fail_if_content_missing: "Welcome" }, 422, "fail_if_content_missing", "Welcome"],
  [
    "CONTENT_RULE_FAILED",
    "/console",
    { fail_if_request_failed: "*.png" },
    422,
    "fail_if_request_failed",
    "missing.png",
  ],
  ["STYLE_FAILED", "/box", { styles: `${site}/no-such.css` }, 422, "styles", "/no-such.css"],
  ["SELECTOR_NOT_FOUND", "/box", { hover: "#never", timeout: "8" }, 422, "hover", "'#never'"],
  ["SELECTOR_NOT_FOUND", "/box", { wait_for_selector: "#never", timeout: "8" }, 422, "wait_for_selector", "'#never'"],
  ["EXPRESSION_FAILED", "/box", { wait_for_expression: "(" }, 422, "wait_for_expression", "SyntaxError"],
  [
    "EXPRESSION_FAILED",
    "/box",
    { wait_for_expression: "never()", timeout: "8" },
    422,
    "wait_for_expression",
    "never is",
  ],
  ["CAPTURE_TIMEOUT", "/box", { wait_for_selector_hidden: "#box", timeout: "4" }, 504, "phase", "settle"],
  ["VALIDATION_ERROR", "/box", { hide_selectors: "<<" }, 422, "hide_selectors", "not a valid CSS selector"],
];

describe.concurrent.each(sample(failures, 5))(
  "errors: %s of %s with %j",
  (code, path, options, status, detail, reported) => {
    test(`reports '${reported}', and is logged`, async ({ expect }) => {
      const client = await openClient();
      const secret = { authorization: "Bearer s3cr3t", cookies: "session=s3cr3t", ...options };
      const response = await client.capture({ url: `${site}${path}`, ...secret });
      const error = await response.json();
      expect([response.status, error.code]).toEqual([status, code]);
      expect(error.details[detail].join()).toContain(reported);
      const [log] = await client.logs();
      expect(log).toMatchObject({ id: error.request_id, status: "failed", error_message: `${code}: ${error.error}` });
      expect(JSON.stringify([error, log])).not.toContain("s3cr3t");
    });
  },
);

test.concurrent("errors: a timeout names the phase and what was pending", async ({ expect }) => {
  const response = await client.capture({ url: `${site}/images-never-arrive`, wait_until: "load", timeout: "4" });
  expect((await response.json()).details).toEqual({ phase: ["settle"], pending: [`${site}/image?n=0`] });
});

slowTest.concurrent("errors: a page that starts a download by itself is captured", async ({ expect }) => {
  expect((await client.capture({ url: `${site}/begins-download` })).status).toBe(200);
});

test("errors: fail_on_status fails on the listed statuses only", async () => {
  const codeOf = async (fail_on_status: string) =>
    (await client.capture({ url: `${site}/not-found`, fail_on_status })).status;
  expect([await codeOf("404"), await codeOf("500-599")]).toEqual([422, 200]);
});

test("errors: a slow page is captured as far as it is painted, with a warning", async () => {
  const options = { wait_for_selector: "#never", timeout: "8", on_timeout: "capture", response_type: "json" };
  const { warnings } = await (await client.capture({ url: `${site}/box`, ...options })).json();
  const late = "The page was captured before it was ready: the time ran out while waiting for '#never' to appear.";
  // A machine that is too slow for another frame has one more sentence.
  expect(warnings).toBeOneOf([[late], [`${late} The result is the last frame of the window.`]]);
});

test("errors: an error page is captured on request", async () => {
  const response = await client.capture({ url: `${site}/not-found`, ignore_host_errors: "true" });
  expect(response.status).toBe(200);
});

test("errors: a closed port that is not allowed is rejected like any other address", async () => {
  const response = await client.capture({ url: `http://127.0.0.1:${await closedPort()}/` });
  expect(response.status).toBe(403);
});

test("errors: only allowed addresses of this machine are reached", async () => {
  const trap = await startTrap();
  const refused = [
    `http://127.0.0.1:${trap.port}/`,
    `http://[::1]:${trap.port}/`,
    `http://localhost:${trap.port}/`,
    `http://0x7f000001:${trap.port}/`,
    `https://127.0.0.1:${trap.port}/`,
    `${site}/redirect?to=${encodeURIComponent(`http://127.0.0.1:${trap.port}/`)}`,
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "chrome://version",
    "chrome://crash",
  ];
  const codes = await Promise.all(refused.map(async (url) => (await (await client.capture({ url })).json()).code));
  expect(codes).toEqual(refused.map(() => "URL_NOT_ALLOWED"));
  expect(trap.connections).toBe(0);
  await trap.close();
});

sampled(test, 2).each([
  ["JSON that is not", "application/json", '{"url":', 400, "BAD_REQUEST"],
  ["JSON that is a list", "application/json", "[]", 400, "BAD_REQUEST"],
  ["JSON sent as a form", "application/x-www-form-urlencoded", '{"url":"https://example.com"}', 400, "BAD_REQUEST"],
  ["another type", "text/plain", "url=https://example.com", 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["an unknown option", "application/json", '{"url":"https://example.com","fullpage":true}', 422, "VALIDATION_ERROR"],
])("errors: a body of %s is rejected, and not logged as a capture", async (_, type, body, status, code) => {
  const before = await client.logs();
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.key}`, "Content-Type": type },
    body,
  });
  expect([response.status, (await response.json()).code]).toEqual([status, code]);
  expect(await client.logs()).toEqual(before);
});

test("errors: the service still works afterwards", async () => {
  expect((await client.capture({ url: `${site}/box` })).status).toBe(200);
});
