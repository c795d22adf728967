// The routes of asynchronous captures and their webhooks.
import type { JsonSchema } from "../../contract/options/option.ts";
import { defineRoute } from "../http/define-route.ts";
import { parseWebhookTest, webhookTestEntries } from "../webhooks/webhook-test-options.ts";
import { jobListEntries, parseJobListOptions } from "./list-options.ts";
import { CaptureState, CaptureStates, WebhookRedelivery, WebhookTest } from "./responses.ts";

const handlers = () => import("./serve-job.ts");

const tag = "Captures";

const pathParameters: readonly JsonSchema[] = [
  {
    name: "id",
    in: "path",
    required: true,
    description: "The `request_id` of the capture.",
    schema: { type: "integer" },
  },
];

const one = {
  path: "/api/v1/screenshot/{id}",
  functionName: "api",
  access: "capture",
} as const;

export const getAsyncCaptureRoute = defineRoute({
  ...one,
  method: "GET",
  env: ["ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL"],
  operation: {
    id: "getCapture",
    tag,
    pathParameters,
    summary: "Get the status of an asynchronous capture",
    description: "Available for 30 days. Requires an API key of the account with the scope `capture`.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The status of the capture.", json: [CaptureState] } },
  handler: async () => (await handlers()).getAsyncCapture,
});

export const deleteAsyncCaptureRoute = defineRoute({
  ...one,
  method: "DELETE",
  env: ["ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL", "WEBHOOK_QUEUE_URL"],
  operation: {
    id: "deleteCaptureResult",
    tag,
    pathParameters,
    summary: "Cancel an asynchronous capture, or delete its stored result",
    description:
      "A capture that hasn't ended is cancelled: its status becomes `failed` with the code `CANCELLED`, nothing is billed, and its " +
      "webhook is sent. One that is `queued` ends at once. One that is `processing` ends within two seconds, and counts as one of the " +
      "account's free failures; once these are used up, it goes on. One that is being uploaded to your bucket can't be cancelled: the " +
      "response is 409. Of `outputs`, those that had succeeded by then stay available and billed.\n\n" +
      "Of a capture that has ended, the stored result is deleted, or the results of all `outputs`. The status of the capture remains, with `url` set to `null`. If other asynchronous captures share the file through the " +
      "cache, the file stays, and the cache keeps serving it, until the last of them is deleted or the file expires. A file " +
      "that a synchronous capture created or returned a link to stays until it expires. Cancelling or deleting " +
      "again has no effect. Requires an API key with the scope `capture`.",
    errors: ["NOT_FOUND", "CONFLICT", "FREE_FAILURES_USED"],
  },
  responses: {
    202: { description: "The capture is being processed, and ends within two seconds.", json: [CaptureState] },
    204: { description: "The capture has ended: it was cancelled, or its result was deleted." },
  },
  handler: async () => (await handlers()).deleteAsyncCapture,
});

export const redeliverWebhookRoute = defineRoute({
  method: "POST",
  path: "/api/v1/screenshot/{id}/webhook/redeliver",
  functionName: "api",
  access: "capture",
  env: ["ACTIVITY_TABLE", "BASE_URL", "WEBHOOK_QUEUE_URL"],
  idempotency: { description: "However often you repeat the request, the webhook is redelivered once." },
  operation: {
    id: "redeliverWebhook",
    tag,
    pathParameters,
    summary: "Redeliver the webhook of a capture",
    description:
      "Sends the webhook immediately, with the same `webhook-id`, and retries it as often as the first time, whatever the " +
      "status of earlier deliveries, at most three times a day (UTC). Requires an API key with the scope `capture`.",
    errors: ["NOT_FOUND"],
  },
  responses: {
    202: { description: "The webhook will be sent.", json: [WebhookRedelivery], headers: ["Location"] },
  },
  handler: async () => (await import("../webhooks/redeliver-webhook.ts")).redeliverWebhook,
});

export const listAsyncCapturesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/jobs",
  functionName: "api",
  access: "capture",
  env: ["ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL"],
  options: { entries: jobListEntries, parse: parseJobListOptions },
  operation: {
    id: "listAsyncCaptures",
    tag,
    summary: "List your asynchronous captures, newest first",
    description:
      "Those of the last 30 days, with the attempts to deliver their webhooks. If you filter by `status`, a list can have fewer " +
      "captures than `limit`, and more follow if `next_before` isn't `null`. Requires an API key with the scope `capture`.",
    queryType: "AsyncCaptureFilter",
  },
  responses: { 200: { description: "A part of the list.", json: [CaptureStates] } },
  handler: async () => (await handlers()).listAsyncCaptures,
});

export const testWebhookRoute = defineRoute({
  method: "POST",
  hasSecrets: true, // the signature of the event
  path: "/api/v1/webhooks/test",
  functionName: "api",
  access: "capture",
  env: ["ACTIVITY_TABLE"],
  idempotency: { description: "However often you repeat the request, the event is sent once." },
  options: { entries: webhookTestEntries, parse: parseWebhookTest },
  check: async (call) => (await import("../webhooks/webhook-test.ts")).requireTestable(call),
  operation: {
    id: "testWebhook",
    tag,
    summary: "Send a test event to a receiver of webhooks",
    description:
      "Sends one event of the type `test`, signed as webhooks are, and answers with the receiver's response and with what was " +
      "sent. It isn't retried. Requires an API key with the scope `capture`.",
    body: {
      name: "WebhookTestRequest",
      required: ["webhook_url"],
      isJsonOnly: true,
      examples: [{ webhook_url: "https://example.com/webhooks" }],
    },
  },
  responses: { 200: { description: "What the receiver answered, if it did.", json: [WebhookTest] } },
  handler: async () => (await import("../webhooks/webhook-test.ts")).testWebhook,
});
