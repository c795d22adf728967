// The operations on captures in the background, as OpenAPI shows them, and the answer to whoever asks for one.
import type { ErrorCode } from "../../errors/api-error.ts";
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { always, type HeaderName, headerRefs } from "../openapi/headers.ts";
import { json } from "../openapi/other-operations.ts";

const tags = ["Captures"];

const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Every operation can be refused because of the caller's key, or because it takes no such option. */
const errors = (...codes: readonly ErrorCode[]) =>
  errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", ...codes);

/** Errors of a request whose body is read. */
const ofBodies = ["BAD_REQUEST", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;

/** Of the paths of one capture. */
export const jobParameters: readonly JsonSchema[] = [
  {
    name: "id",
    in: "path",
    required: true,
    description: "The `request_id` of the capture.",
    schema: { type: "integer" },
  },
];

export const getJob = (): JsonSchema => ({
  operationId: "getCapture",
  tags,
  summary: "See how a capture in the background stands",
  description: "For 30 days. Needs a key of the account with the scope `capture`.",
  responses: { "200": json("Its state.", schema("CaptureState")), ...errors("NOT_FOUND") },
});

export const deleteJobResult = (): JsonSchema => ({
  operationId: "deleteCaptureResult",
  tags,
  summary: "Delete the stored result of a capture in the background",
  description:
    "Its state stays, with `url` null. The bytes are deleted, too, unless other captures share them by the cache: then " +
    "they stay, and the cache answers from them, until the last of these captures is deleted or the result expires. A " +
    "result that a capture without `async` made, or was given a link to, stays until it expires. Deleting it again " +
    "changes nothing. Needs a key with the scope `capture`.",
  responses: {
    "204": { description: "It is deleted.", headers: headerRefs(...always) },
    ...errors("NOT_FOUND", "CONFLICT", ...ofBodies),
  },
});

/** The answer to a request for a capture in the background. */
export const acceptedAnswer = (...more: readonly HeaderName[]): JsonSchema => ({
  description: "With `async`: the capture is queued. Its state is told at `status_url`.",
  headers: headerRefs(...always, "Location", ...more),
  content: { "application/json": { schema: schema("CaptureAccepted") } },
});
