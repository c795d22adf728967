// The OpenAPI operations that capture a page: with options in the query, and with options in a body.
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import { captureContents } from "../openapi/contents.ts";
import { bodyErrors, errorResponses } from "../openapi/error-responses.ts";
import { captureHeaders, type HeaderName, headerRefs, standardHeaders } from "../openapi/headers.ts";
import { idempotencyKeyParameter } from "../openapi/idempotency-parameter.ts";
import { captureParameters } from "../openapi/option-schemas.ts";
import { responseRef } from "../openapi/response-schemas.ts";
import { captureSecurity, signedLinkParameters } from "../openapi/signed-link-parameters.ts";
import { codeSamples } from "../samples/code-samples.ts";
import { CaptureAccepted } from "./responses.ts";

const tags = ["Captures"];

/** Error codes of a capture, whether its options are in the query or in a body. */
const codes: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
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

/** `ofResult` are further headers of a response with a result, `headerNames` of every response. */
const responses = ({
  ofResult = [],
  headerNames = [],
}: {
  readonly ofResult?: readonly HeaderName[];
  readonly headerNames?: readonly HeaderName[];
} = {}): Readonly<Record<string, JsonSchema>> => ({
  "200": {
    description:
      "The result in its `format`. With `response_type=json`, a link to the stored result; with `response_type=base64`, the " +
      "result as text.",
    headers: headerRefs(...captureHeaders, "Content-Disposition", "ETag", ...ofResult, ...headerNames),
    content: captureContents(),
  },
  "202": {
    description: "With `async=true`: the capture is queued. Get its status from `status_url`.",
    headers: headerRefs(...standardHeaders, "Location", ...headerNames),
    content: { "application/json": { schema: responseRef(CaptureAccepted) } },
  },
  "204": {
    description: "The capture succeeded. With `response_type=empty`, the response has only headers.",
    headers: headerRefs(...captureHeaders, ...headerNames),
  },
  "303": {
    description:
      "The result is too large to be sent with the response, which is usually the case over 10 MB. Download it from the signed " +
      "link in `Location`, which needs no API key. Most clients follow it by themselves; with curl, use `-L`.",
    headers: headerRefs(...captureHeaders, "Location", ...headerNames),
    content: { "text/plain": { schema: { type: "string" } } },
  },
  "304": {
    description:
      "The capture succeeded or was cached, and you already have the result: its ETag is in `If-None-Match`.",
    headers: headerRefs(...captureHeaders, "ETag", ...headerNames),
  },
});

const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description:
    "ETags of results that you already have, or `*`. If one matches, the response is 304. The capture counts nevertheless, " +
    "unless it came from the cache.",
  schema: { type: "string" },
};

const idempotencyKey = idempotencyKeyParameter(
  "Repeated captures are free and aren't logged. While the first request is in progress, repetitions wait for it, at most " +
    "for their `timeout`.",
);

export const captureByQuery = (): JsonSchema => ({
  operationId: "captureByQuery",
  tags,
  summary: "Capture a page, with options in the query",
  description:
    "Send exactly one of `url`, `html`, and `markdown`. Send a list as a repeated parameter, and long texts in a body. " +
    "A successful capture counts against your quota. Requires an API key with the scope `capture`, or a signed link: with " +
    "it, you can show a capture in any web page without exposing your API key.",
  security: captureSecurity,
  parameters: [...captureParameters(), ...signedLinkParameters, ifNoneMatch],
  responses: { ...responses({ ofResult: ["Cache-Control", "X-Error-Code"] }), ...errorResponses(...codes) },
});

/** `baseUrl` is that of the service, for the samples. */
export const capture = (baseUrl: string): JsonSchema => ({
  operationId: "capture",
  tags,
  summary: "Capture a page, with options in a body",
  description:
    "You can also send options in the query, but no option in both with different values. A successful capture counts against your " +
    "quota. Requires an API key with the scope `capture`.",
  parameters: [idempotencyKey, ifNoneMatch],
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/CaptureOptions" } },
      "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/CaptureOptions" } },
    },
  },
  responses: {
    ...responses({ headerNames: ["Idempotent-Replayed"] }),
    ...errorResponses("CONFLICT", ...bodyErrors, ...codes),
  },
  // Read by Redoc, Scalar, and other renderers: https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples
  "x-codeSamples": codeSamples(
    { url: "https://example.com", full_page: true, viewport_device: "iphone_15_pro" },
    baseUrl,
  ),
});
