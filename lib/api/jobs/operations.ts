// The OpenAPI operations on asynchronous captures.
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import { bodyErrors, errorResponses } from "../openapi/error-responses.ts";
import { idempotencyKeyParameter } from "../openapi/idempotency-parameter.ts";
import { bodyProperties, queryParameters } from "../openapi/option-schemas.ts";
import { jsonResponses } from "../openapi/success-responses.ts";
import { jobListEntries } from "./list-options.ts";
import { webhookTestEntries } from "./webhook-test-options.ts";

const tags = ["Captures"];

const errors = (...codes: readonly ErrorCode[]) =>
  errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", ...codes);

/** The path parameters of an asynchronous capture. */
export const jobParameters: readonly JsonSchema[] = [
  {
    name: "id",
    in: "path",
    required: true,
    description: "The `request_id` of the capture.",
    schema: { type: "integer" },
  },
];

export const listJobs = (): JsonSchema => ({
  operationId: "listAsyncCaptures",
  tags,
  summary: "List your asynchronous captures, newest first",
  description:
    "Those of the last 30 days, with the attempts to deliver their webhooks. If you filter by `status`, a list can have fewer " +
    "captures than `limit`, and more follow if `next_before` isn't `null`. Requires an API key with the scope `capture`.",
  parameters: queryParameters(jobListEntries),
  responses: {
    ...jsonResponses("GET /api/v1/jobs", { 200: "A part of the list." }),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN"),
  },
});

export const getJob = (): JsonSchema => ({
  operationId: "getCapture",
  tags,
  summary: "Get the status of an asynchronous capture",
  description: "Available for 30 days. Requires an API key of the account with the scope `capture`.",
  responses: {
    ...jsonResponses("GET /api/v1/screenshot/{id}", { 200: "The status of the capture." }),
    ...errors(),
  },
});

export const deleteJobResult = (): JsonSchema => ({
  operationId: "deleteCaptureResult",
  tags,
  summary: "Delete the stored result of an asynchronous capture",
  description:
    "The status of the capture remains, with `url` set to `null`. If other asynchronous captures share the file through the " +
    "cache, the file stays, and the cache keeps serving it, until the last of them is deleted or the file expires. A file " +
    "that a synchronous capture created or returned a link to stays until it expires. Deleting a result again has no " +
    "effect. Requires an API key with the scope `capture`.",
  responses: {
    ...jsonResponses("DELETE /api/v1/screenshot/{id}", { 204: "The result was deleted." }),
    ...errors("CONFLICT", ...bodyErrors),
  },
});

export const testWebhook = (): JsonSchema => ({
  operationId: "testWebhook",
  tags,
  summary: "Send a test event to a receiver of webhooks",
  description:
    "Sends one event of the type `test`, signed as webhooks are, and answers with the receiver's response and with what was " +
    "sent. It isn't retried. Requires an API key with the scope `capture`.",
  parameters: [idempotencyKeyParameter("However often you repeat the request, the event is sent once.")],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookTestRequest" } } },
  },
  responses: {
    ...jsonResponses("POST /api/v1/webhooks/test", { 200: "What the receiver answered, if it did." }, [
      "Idempotent-Replayed",
    ]),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "CONFLICT", ...bodyErrors),
  },
});

/** The body of a test, as the OpenAPI document shows it. */
export const webhookRequestSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  WebhookTestRequest: {
    type: "object",
    required: ["webhook_url"],
    properties: bodyProperties(webhookTestEntries),
    additionalProperties: false,
    examples: [{ webhook_url: "https://example.com/webhooks" }],
  },
});

export const redeliverWebhook = (): JsonSchema => ({
  operationId: "redeliverWebhook",
  tags,
  summary: "Redeliver the webhook of a capture",
  description:
    "Sends the webhook immediately, with the same `webhook-id`, and retries it as often as the first time, whatever the " +
    "status of earlier deliveries. Requires an API key with the scope `capture`.",
  parameters: [idempotencyKeyParameter("However often you repeat the request, the webhook is redelivered once.")],
  responses: {
    ...jsonResponses("POST /api/v1/screenshot/{id}/webhook/redeliver", { 202: "The webhook will be sent." }, [
      "Idempotent-Replayed",
      "Location",
    ]),
    ...errors("CONFLICT", ...bodyErrors),
  },
});
