// The fixes of errors in the playground: which buttons an error has, and what the request is after each.
import { describe, expect, test } from "vitest";
import { type ErrorCode, errorKinds } from "../../lib/contract/errors/error-kinds.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { withOptions } from "../../lib/site/web/playground/apply-fix.ts";
import { contract } from "../../lib/site/web/playground/contract.ts";
import { errorFixes, problemFixes } from "../../lib/site/web/playground/error-fixes.ts";
import type { Fix } from "../../lib/site/web/playground/fix.ts";
import {
  draftFromOptions,
  type RequestOptions,
  requestOptions,
} from "../../lib/site/web/playground/request-options.ts";
import type { ServiceError } from "../../lib/site/web/playground/send-capture.ts";
import { validationFixes } from "../../lib/site/web/playground/validation-fixes.ts";
import { apiErrorOf } from "../support/builders.ts";

const url = "https://example.com";

/** The request after a fix. */
const fixed = (sent: RequestOptions, fix: Fix) =>
  "options" in fix ? requestOptions(withOptions(draftFromOptions(sent), fix.options, contract)) : undefined;

const fixesOf = (code: ErrorCode, sent: RequestOptions, error: Partial<ServiceError> = {}) =>
  errorFixes({ error: "It failed.", code, ...error }, { url, ...sent });

/** What each code offers, and the first request after a fix that changes options. */
const cases: readonly [ErrorCode, RequestOptions, Partial<ServiceError>, readonly string[], RequestOptions?][] = [
  ["TARGET_HTTP_ERROR", {}, {}, ["Capture the error page anyway"], { ignore_host_errors: true }],
  [
    "TARGET_HTTP_ERROR",
    { fail_on_status: ["404"] },
    { retryable: true, target: { http_status_code: 503, net_error: null, final_url: null, retry_after: 7 } },
    ["Try again", "Capture the error page anyway"],
    { ignore_host_errors: true },
  ],
  ["TARGET_BLOCKED", {}, {}, ["Try with stealth", "Capture the challenge page"], { stealth: true }],
  [
    "TARGET_BLOCKED",
    { stealth: true },
    {},
    ["Capture the challenge page"],
    { stealth: true, ignore_host_errors: true },
  ],
  [
    "SELECTOR_NOT_FOUND",
    { selector: "#a" },
    { details: { selector: ["no element matched"] } },
    ["Wait up to 60 s for it", "Capture the page without it", "Remove selector"],
    { selector: "#a", wait_for_selector: ["#a"] },
  ],
  [
    "SELECTOR_NOT_FOUND",
    { click: ["#a"] },
    { details: { click: ["no element matched"] } },
    ["Capture the page without it", "Remove click"],
    { click: ["#a"], error_on_click_selector_not_found: false },
  ],
  [
    "SELECTOR_NOT_FOUND",
    { clip_x: 9_000, clip_y: 0, clip_width: 10, clip_height: 10 },
    { details: { clip_x: ["must be less"] } },
    ["Remove the rectangle"],
    {},
  ],
  [
    "CAPTURE_TIMEOUT",
    { timeout: 5 },
    { retryable: false, details: { phase: ["settle"], pending: [] } },
    ["Allow 90 s", "Wait for less of the page", "Capture what is there in time"],
    { timeout: 90 },
  ],
  ["CAPTURE_TIMEOUT", { timeout: 90, format: "pdf" }, { retryable: false }, ["Wait for less of the page"]],
  ["CAPTURE_TIMEOUT", {}, { retryable: true }, ["Try again"]],
  ["EXPRESSION_FAILED", { wait_for_expression: "a" }, {}, ["Allow 90 s", "Remove wait_for_expression"]],
  ["SCRIPT_FAILED", { scripts: ["a"], scripts_wait_until: ["load"] }, {}, ["Capture without scripts"], {}],
  ["STYLE_FAILED", { styles: ["a"] }, {}, ["Capture without styles"], {}],
  ["NOT_DETERMINISTIC", { deterministic: true }, {}, ["Capture without deterministic"], {}],
  [
    "CONTENT_RULE_FAILED",
    { min_quality: 90 },
    {
      details: { min_quality: ["OVERLAY_LEFT: …"] },
      problems: [
        {
          code: "OVERLAY_LEFT",
          severity: "warning",
          message: "A banner.",
          fix: { block_cookie_banners: true, delay: 3 },
          evidence: {},
        },
      ],
    },
    ["Try block_cookie_banners, delay=3", "Remove min_quality"],
    { min_quality: 90, block_cookie_banners: true, delay: 3 },
  ],
  ["PROXY_FAILED", { proxy: "http://a.example:1", proxy_bypass_hosts: ["b"] }, {}, ["Capture without the proxy"], {}],
  ["STORAGE_FAILED", { store: true, storage_bucket: "a", storage_path: "b" }, {}, ["Capture without storing it"], {}],
  ["TARGET_TLS_ERROR", {}, {}, ["Capture it over http"], { url: "http://example.com" }],
  [
    "TARGET_TOO_LARGE",
    {},
    { details: { limit: ["page_megabytes"] } },
    ["Block videos and sound", "Capture without scripts"],
  ],
  ["TARGET_TOO_LARGE", {}, { details: { limit: ["requests"] } }, ["Block ads", "Capture without scripts"]],
  ["PAGE_CRASHED", {}, {}, ["Capture without scripts"], { javascript: false }],
  [
    "RESULT_TOO_LARGE",
    { full_page: true, device_scale_factor: 3, omit_background: true },
    {},
    ["Capture a JPEG", "Capture at single density", "Capture the first 10,000 pixels"],
    { full_page: true, device_scale_factor: 3, format: "jpeg" },
  ],
  ["RESULT_TOO_LARGE", { format: "pdf" }, {}, ["Keep the first 20 pages"], { format: "pdf", pdf_page_ranges: "1-20" }],
  ["RESULT_TOO_LARGE", { format: "gif" }, {}, ["Record an MP4", "Record 3 seconds"], { format: "mp4" }],
  ["RESULT_TOO_LARGE", { response_type: "base64" }, {}, ["Return the file itself"], {}],
  ["RATE_LIMITED", {}, { retryAfterS: 9 }, ["Try again"]],
  ["QUOTA_EXCEEDED", {}, {}, ["See the plans", "Open billing"]],
  ["UNAUTHORIZED", {}, {}, ["Enter an API key", "Sign in"]],
  ["URL_NOT_ALLOWED", {}, {}, ["Edit the address"]],
  ["INTERNAL_ERROR", {}, { retryable: true }, ["Try again"]],
  ["ACCOUNT_SUSPENDED", {}, { retryable: false }, []],
];

describe.each(cases)("fixes: %s of %j", (code, sent, error, labels, first) => {
  test(`are ${labels.join(", ") || "none"}, and each leaves a request that the API accepts`, () => {
    const fixes = fixesOf(code, sent, error);
    expect(fixes.map(({ label }) => label)).toEqual(labels);
    const requests = fixes.flatMap((fix) => fixed({ url, ...sent }, fix) ?? []);
    for (const request of requests) expect(() => parseCaptureOptions(request)).not.toThrow();
    if (first) expect(requests[0]).toEqual({ url, ...first });
  });
});

test("fixes: no error has more than three, and none has a label with code marks", () => {
  for (const code of Object.keys(errorKinds) as ErrorCode[]) {
    const fixes = fixesOf(code, { selector: "a", timeout: 5 }, { details: { selector: ["a"], timeout: ["b"] } });
    expect(fixes.length).toBeLessThanOrEqual(3);
    expect(fixes.map(({ label }) => label).join()).not.toMatch(/[`…]/);
  }
});

test("fixes: another attempt waits as long as the service or the page asks for", () => {
  expect(fixesOf("RATE_LIMITED", {}, { retryAfterS: 9 })).toEqual([{ label: "Try again", retryAfterS: 9 }]);
  const target = { http_status_code: 503, net_error: null, final_url: null, retry_after: 7 };
  expect(fixesOf("TARGET_HTTP_ERROR", {}, { retryable: true, target })[0]).toMatchObject({ retryAfterS: 7 });
  expect(errorFixes({ error: "The service didn’t respond." }, { url })).toEqual([
    { label: "Try again", retryAfterS: 0 },
  ]);
});

test("fixes: a long value isn't part of a label, and a problem without a known option has no button", () => {
  const problem = { code: "CUT_OFF", severity: "warning", message: "Cut off.", evidence: {} } as const;
  expect(problemFixes([{ ...problem, fix: { styles: ["a".repeat(99)] } }])[0]?.label).toBe("Try styles");
  expect(problemFixes([{ ...problem, fix: null }])).toEqual([]);
});

test.each([
  [{ ful_page: true }, "ful_page", ["Rename it to full_page", "Remove ful_page"], { full_page: true }],
  [{ selector: "a", full_page: true }, "selector", ["Remove selector", "Remove full_page"], { full_page: true }],
  [{ video_fps: 5 }, "video_fps", ["Set format=mp4", "Remove video_fps"], { format: "mp4", video_fps: 5 }],
  [{ pdf_scale: 2 }, "pdf_scale", ["Remove pdf_scale"], {}],
  [
    { accept_cookie_banners: true },
    "accept_cookie_banners",
    ["Set block_cookie_banners", "Remove accept_cookie_banners"],
    { accept_cookie_banners: true, block_cookie_banners: true },
  ],
])("fixes: the invalid request %j can be corrected at %s", (options, name, labels, first) => {
  const sent = { url, ...options };
  const messages = apiErrorOf(() => parseCaptureOptions(sent)).details?.[name] as readonly string[];
  const fixes = validationFixes(name, messages, sent);
  expect(fixes.map(({ label }) => label)).toEqual(labels);
  for (const fix of fixes) expect(() => parseCaptureOptions(fixed(sent, fix))).not.toThrow();
  expect(fixes[0] && fixed(sent, fixes[0])).toEqual({ url, ...first });
});

test("fixes: an option of one result is changed there, one of the request for all, and one of each in every result", () => {
  const draft = draftFromOptions({ url, outputs: [{ name: "a" }, { name: "b", format: "pdf" }] });
  const outputs = (options: RequestOptions, output?: number) =>
    withOptions(draft, options, { isOwn: contract.isOwn, output }).options;
  expect(outputs({ selector: "h1" }, 1)["outputs"]).toEqual([
    { name: "a" },
    { name: "b", format: "pdf", selector: "h1" },
  ]);
  expect(outputs({ delay: 3 }, 1)).toMatchObject({ delay: 3 });
  expect(outputs({ selector: "h1" })["outputs"]).toEqual([
    { name: "a", selector: "h1" },
    { name: "b", format: "pdf", selector: "h1" },
  ]);
});
