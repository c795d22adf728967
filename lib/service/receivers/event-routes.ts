// The routes of the events of receivers of webhooks: pause and resume, the log of deliveries, a test, and sending events again.
import { count } from "../../contract/options/wording.ts";
import { defineRoute } from "../http/define-route.ts";
import { WebhookTest } from "../jobs/responses.ts";
import { DELIVERY_RETENTION_DAYS } from "./delivery-log.ts";
import { deliveryListEntries, parseDeliveryList, parseReplay, replayEntries } from "./receiver-options.ts";
import { MAX_REPEATS_PER_DAY, MAX_REPLAY_FAILURES, MAX_REPLAYED_DELIVERIES, REPLAY_PAUSE_S } from "./replay-limits.ts";
import { MAX_FAILING_HOURS, ReceiverDeliveries, WebhookReceiver, WebhookReplay } from "./responses.ts";
import { NEEDS_SCOPES, PATH, pathParameters, requireCaptureScope, tag } from "./route-parts.ts";
import { STORED_EVENT_DAYS } from "./stored-events.ts";

const handlers = () => import("./serve-events.ts");

const ONE = `${PATH}/{id}` as const;

/** What changes a receiver or sends events to it. */
const action = {
  method: "POST",
  functionName: "api",
  access: "keys",
  env: ["ACTIVITY_TABLE", "WEBHOOK_QUEUE_URL"],
  check: requireCaptureScope,
} as const;

export const pauseReceiverRoute = defineRoute({
  ...action,
  path: `${ONE}/pause`,
  idempotency: { description: "Pausing a receiver again has no effect." },
  operation: {
    id: "pauseWebhookReceiver",
    tag,
    pathParameters,
    summary: "Pause a webhook receiver",
    description:
      `Webhooks that are due while it's paused are kept for ${STORED_EVENT_DAYS} days each, and have the status \`paused\`. Deliveries that ` +
      "are under way are finished. If the receiver is failing, webhooks whose retries have ended since it began to fail are kept, too. A " +
      `receiver that fails for ${MAX_FAILING_HOURS} hours is paused automatically. ${NEEDS_SCOPES}`,
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The paused receiver.", json: [WebhookReceiver] } },
  handler: async () => (await handlers()).pauseWebhookReceiver,
});

export const resumeReceiverRoute = defineRoute({
  ...action,
  path: `${ONE}/resume`,
  idempotency: { description: "However often you repeat the request, kept webhooks are sent once." },
  operation: {
    id: "resumeWebhookReceiver",
    tag,
    pathParameters,
    summary: "Resume a webhook receiver",
    description:
      "The webhooks that were kept are sent, oldest first, about 50 a second, and retried as often as new ones. If one of them isn't " +
      `sent, resume the receiver again. One whose URL has changed to another origin is resumed by a test event. ${NEEDS_SCOPES}`,
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 200: { description: "The resumed receiver.", json: [WebhookReceiver] } },
  handler: async () => (await handlers()).resumeWebhookReceiver,
});

export const listReceiverDeliveriesRoute = defineRoute({
  method: "GET",
  path: `${ONE}/deliveries`,
  functionName: "api",
  access: "usage",
  env: ["ACTIVITY_TABLE"],
  options: { entries: deliveryListEntries, parse: parseDeliveryList },
  operation: {
    id: "listWebhookDeliveries",
    tag,
    pathParameters,
    summary: "List the deliveries to a webhook receiver, newest first",
    description:
      `Every attempt of the last ${DELIVERY_RETENTION_DAYS} days, with what the receiver answered. If you filter by \`status\`, a list can ` +
      "have fewer deliveries than `limit`, and more follow if `next_before` isn't `null`. Requires an API key with the scope `usage`.",
    queryType: "WebhookDeliveryFilter",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "A part of the list.", json: [ReceiverDeliveries] } },
  handler: async () => (await handlers()).listWebhookDeliveries,
});

export const testReceiverRoute = defineRoute({
  ...action,
  path: `${ONE}/test`,
  hasSecrets: true, // the signature of the event
  idempotency: { description: "However often you repeat the request, the event is sent once." },
  operation: {
    id: "testWebhookReceiver",
    tag,
    pathParameters,
    summary: "Send a test event to a webhook receiver",
    description:
      "Sends one event of the type `test`, signed with the receiver's secret, also while the receiver is paused. The response has the " +
      `receiver's answer and what was sent. The event isn't retried. If the receiver waits for it after its URL changed to another origin, an ` +
      `answer with a 2xx status resumes it. ${NEEDS_SCOPES}`,
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "What the receiver answered, if it did.", json: [WebhookTest] } },
  handler: async () => (await handlers()).testWebhookReceiver,
});

export const replayWebhooksRoute = defineRoute({
  ...action,
  path: `${ONE}/replay`,
  idempotency: { description: "However often you repeat the request, the webhooks are sent again once." },
  options: { entries: replayEntries, parse: parseReplay },
  operation: {
    id: "replayWebhooks",
    tag,
    pathParameters,
    summary: "Send the webhooks of a time again to their receiver",
    description:
      "Sends the webhook of each capture again that was sent to the receiver in this time, successfully or not, with the same " +
      `\`webhook-id\`, and retries it as often as the first time. One request sends up to ${count(MAX_REPLAYED_DELIVERIES)} deliveries ` +
      `again; \`until\` in the response says up to when. A receiver takes one such request in ${REPLAY_PAUSE_S} seconds, and gets each webhook again ` +
      `at most ${MAX_REPEATS_PER_DAY} times a day (UTC). The replay ends after ${MAX_REPLAY_FAILURES} failures in a row. ${NEEDS_SCOPES}`,
    body: {
      name: "WebhookReplayRequest",
      required: ["since"],
      examples: [{ since: "2026-11-21T00:00:00Z" }, { since: "2026-11-21T00:00:00Z", until: "2026-11-21T06:00:00Z" }],
    },
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 202: { description: "The webhooks will be sent again.", json: [WebhookReplay] } },
  handler: async () => (await handlers()).replayWebhooks,
});
