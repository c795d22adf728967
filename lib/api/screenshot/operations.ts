// The operations that capture, as OpenAPI shows them: by the query, and by a body.
import type { ErrorCode } from "../../errors/api-error.ts";
import type { JsonSchema } from "../../options/option.ts";
import { acceptedAnswer } from "../jobs/operations.ts";
import { captureContents } from "../openapi/contents.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { type HeaderName, headerRefs, ofCaptures } from "../openapi/headers.ts";
import { idempotencyKeyParameter } from "../openapi/idempotency-parameter.ts";
import { captureParameters } from "../openapi/option-schemas.ts";
import { captureSecurity, signedLinkParameters } from "../openapi/signed-link-parameters.ts";

const tags = ["Captures"];

/** Codes of a capture that is refused or fails, whichever way its options were sent. */
const codes: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
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
  "CONTENT_RULE_FAILED",
  "STORAGE_FAILED",
  "TARGET_TOO_LARGE",
  "RESULT_TOO_LARGE",
  "CAPTURE_TIMEOUT",
];

const answers = (...more: readonly HeaderName[]): Readonly<Record<string, JsonSchema>> => ({
  "200": {
    description:
      "The capture in its `format`; with `response_type` json where it is stored, with `response_type` base64 as text.",
    headers: headerRefs(...ofCaptures, "Content-Disposition", "ETag", ...more),
    content: captureContents(),
  },
  "202": acceptedAnswer(...more),
  "204": {
    description: "Captured; with `response_type` empty there is nothing but the headers.",
    headers: headerRefs(...ofCaptures, ...more),
  },
  "304": {
    description: "Captured, or found in the cache; `If-None-Match` says that you have the result.",
    headers: headerRefs(...ofCaptures, "ETag", ...more),
  },
});

const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description:
    "ETags of results that you have, or `*`: one of these is not sent again. The capture counts all the same, unless it " +
    "is found in the cache.",
  schema: { type: "string" },
};

const idempotencyKey = idempotencyKeyParameter(
  "A repeated capture costs nothing and is not logged. While the first is under way, the others wait for it as long as " +
    "`timeout` says.",
);

export const captureByQuery = (): JsonSchema => ({
  operationId: "captureByQuery",
  tags,
  summary: "Capture a page, with the options in the query",
  description:
    "Exactly one of `url`, `html` and `markdown` is needed. A list is a repeated parameter; long texts are better sent " +
    "in a body. A capture that succeeds counts against the quota of the account. Needs a key with the scope `capture`, or " +
    "the signature of one: as a signed link a capture can be shown in any page, and its key in none.",
  security: captureSecurity,
  parameters: [...captureParameters(), ...signedLinkParameters, ifNoneMatch],
  responses: { ...answers(), ...errorResponses(...codes) },
});

export const capture = (): JsonSchema => ({
  operationId: "capture",
  tags,
  summary: "Capture a page, with the options in a body",
  description:
    "Options in the query are accepted as well; those in the body win. A capture that succeeds counts against the " +
    "quota of the account. Needs a key with the scope `capture`.",
  parameters: [idempotencyKey, ifNoneMatch],
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/CaptureOptions" } },
      "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/CaptureOptions" } },
    },
  },
  responses: {
    ...answers("Idempotent-Replayed"),
    ...errorResponses("BAD_REQUEST", "CONFLICT", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", ...codes),
  },
});
