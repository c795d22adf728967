// The routes that capture a page: with options in the query, and with options in a body.
import type { ErrorCode } from "../../contract/errors/error-kinds.ts";
import { captureOptionEntries } from "../../contract/options/groups/all.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import { outputsEntries } from "../../contract/options/outputs.ts";
import { defineRoute } from "../http/define-route.ts";
import { documentedSamples } from "../openapi/code-samples.ts";
import { captureHeaderSchemas, type HeaderName } from "../openapi/headers.ts";
import { captureSecurity, signedLinkParameters } from "../openapi/signed-link-parameters.ts";
import { PageElementsResponse } from "./element-responses.ts";
import { CaptureMetadataResponse } from "./metadata-responses.ts";
import { OutputsResult, OutputsValidation } from "./output-responses.ts";
import { CaptureAccepted, CaptureResult, CaptureValidation } from "./responses.ts";

/** Error codes of a capture, whether its options are in the query or in a body. */
const codes: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
  "FREE_FAILURES_USED",
  "CAPACITY",
  "URL_NOT_ALLOWED",
  "TARGET_NAME_NOT_RESOLVED",
  "TARGET_UNREACHABLE",
  "TARGET_TLS_ERROR",
  "PROXY_FAILED",
  "TARGET_HTTP_ERROR",
  "TARGET_BLOCKED",
  "SELECTOR_NOT_FOUND",
  "SCRIPT_FAILED",
  "STYLE_FAILED",
  "EXPRESSION_FAILED",
  "NOT_DETERMINISTIC",
  "CONTENT_RULE_FAILED",
  "STORAGE_FAILED",
  "TARGET_TOO_LARGE",
  "PAGE_CRASHED",
  "RESULT_TOO_LARGE",
  "CAPTURE_TIMEOUT",
];

/** `ofResult` are further headers of a response with a result. */
const responses = (...ofResult: readonly HeaderName[]) =>
  ({
    200: {
      description:
        "The result in its `format`. With `response_type=json`, a link to the stored result; with `response_type=base64`, the " +
        "result as text. With `outputs`, all results in JSON, or in a ZIP archive with `response_type=zip`; 200 if at least one of " +
        "them succeeded.",
      json: [
        CaptureResult,
        CaptureMetadataResponse,
        PageElementsResponse,
        CaptureValidation,
        OutputsResult,
        OutputsValidation,
      ],
      content: "result",
      headers: [...captureHeaderSchemas, "Content-Disposition", "ETag", ...ofResult],
    },
    202: {
      description: "With `async=true`: the capture is queued. Get its status from `status_url`.",
      json: [CaptureAccepted],
      headers: ["Location"],
    },
    204: {
      description:
        "The capture succeeded. With `response_type=empty`, the response has only headers. If an upload to your bucket failed after it " +
        "had started, you get 200 with the JSON result instead.",
      headers: captureHeaderSchemas,
    },
    303: {
      description:
        "The result is too large to be sent with the response, which is usually the case over 10 MB. Download it from the signed " +
        "link in `Location`, which needs no API key. Most clients follow it by themselves; with curl, use `-L`.",
      content: { "text/plain": { type: "string" } },
      headers: [...captureHeaderSchemas, "Location"],
    },
    304: {
      description:
        "The capture succeeded or was cached, and you already have the result: its ETag is in `If-None-Match`.",
      headers: [...captureHeaderSchemas, "ETag"],
    },
  }) as const;

const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description:
    "ETags of results that you already have, or `*`. If one matches, the response is 304. The capture counts nevertheless, " +
    "unless it came from the cache.",
  schema: { type: "string" },
};

const capturing = {
  path: "/api/v1/screenshot",
  functionName: "screenshot",
  origins: "any",
  access: "handler", // an API key, a session, or a signed link; it is admitted while its options are parsed
  deadlineSeconds: 120,
  options: { entries: { ...captureOptionEntries, ...outputsEntries } },
  env: [
    "ACCOUNTS_TABLE",
    "USAGE_TABLE",
    "USAGE_RETENTION_DAYS",
    "ACTIVITY_TABLE",
    "RESULTS_BUCKET",
    "RENDER_QUEUE_URL",
    "BASE_URL",
    "MAX_STREAMED_RESULT_BYTES",
    "MAX_CONCURRENT_CAPTURES",
  ],
  handler: async () => (await import("./screenshot-handler.ts")).serveScreenshot,
} as const;

export const captureByQueryRoute = defineRoute({
  ...capturing,
  method: "GET",
  operation: {
    id: "captureByQuery",
    tag: "Captures",
    summary: "Capture a page, with options in the query",
    description:
      "Send exactly one of `url`, `html`, and `markdown`. Send a list as a repeated parameter, and long texts in a body. " +
      "A successful capture counts against your quota. Requires an API key with the scope `capture`, or a signed link: with " +
      "it, you can show a capture in any web page without exposing your API key.",
    security: captureSecurity,
    parameters: [...signedLinkParameters, ifNoneMatch],
    errors: codes,
  },
  responses: responses("Cache-Control", "X-Error-Code"),
});

export const captureRoute = defineRoute({
  ...capturing,
  method: "POST",
  idempotency: {
    description:
      "Repeated captures are free and aren't logged. Once you delete the capture, or one of its `outputs`, a repetition gets 410 " +
      "(`GONE`), and captures nothing. While the first request is in progress, repetitions wait for it, at most " +
      "for their `timeout`.",
    isOwn: true,
  },
  operation: {
    id: "capture",
    tag: "Captures",
    summary: "Capture a page, with options in a body",
    description:
      "You can also send options in the query, but no option in both with different values. A successful capture counts against your " +
      "quota. Requires an API key with the scope `capture`.",
    parameters: [ifNoneMatch],
    body: { name: "CaptureOptions", isRequired: true },
    errors: [...codes, "GONE"],
    samples: (baseUrl) =>
      documentedSamples({ url: "https://example.com", full_page: true, viewport_device: "iphone_15_pro" }, baseUrl),
  },
  responses: responses(),
});
