// What the resource of saved receivers of webhooks answers.
import * as v from "valibot";
import { count } from "../../contract/options/wording.ts";
import { countField, integerField, requestId, timestamp, url } from "../http/response-fields.ts";
import { webhookDeliveryEntries } from "../jobs/responses.ts";
import { LoggedDeliverySchema } from "./delivery-log.ts";
import { MAX_FAILING_MS, pauseCauses, ReceiverSchema } from "./receiver.ts";
import { MAX_LISTED_AUTOMATIC } from "./receiver-store.ts";
import { MAX_COUNTED_EVENTS, STORED_EVENT_DAYS } from "./stored-events.ts";

const nullableTimestamp = (description: string) => v.pipe(v.nullable(timestamp), v.description(description));

const receiverId = v.pipe(v.string(), v.metadata({ pattern: "^(rcv|auto)_[0-9A-Za-z]{16}$" }));

/** How long a receiver fails before it is paused. */
export const MAX_FAILING_HOURS = MAX_FAILING_MS / (60 * 60 * 1000);

const receiverEntries = {
  id: v.pipe(
    receiverId,
    v.description(
      "Of a saved receiver, send it as `webhook_receiver`. It stays the same when the name changes. That of an automatic one begins " +
        "with `auto_`.",
    ),
  ),
  kind: v.pipe(
    v.picklist(["saved", "automatic"]),
    v.description(
      "- `saved`: you have created it.\n- `automatic`: stands for an origin to which a `webhook_url` leads. It's listed while webhooks " +
        "to the origin fail or are paused. You can read, pause, and resume it.",
    ),
  ),
  name: v.pipe(ReceiverSchema.entries.name, v.description("Of an automatic receiver, its origin.")),
  url: v.pipe(url, v.description("Where webhooks are sent. Of an automatic receiver, the origin alone.")),
  status: v.pipe(
    ReceiverSchema.entries.status,
    v.description(
      `- \`active\`: gets webhooks.\n- \`paused\`: its webhooks are kept, for ${STORED_EVENT_DAYS} days each, until you resume it.`,
    ),
  ),
  paused_at: nullableTimestamp("When it was paused. `null` if it's active."),
  paused_by: v.pipe(
    v.nullable(v.picklist(pauseCauses)),
    v.description(
      `- \`account\`: you have paused it.\n- \`automatic\`: it was paused because it had failed for ${MAX_FAILING_HOURS} hours.\n` +
        "- `verification`: its URL leads to another origin than before, which has not accepted a test event yet.\n\n" +
        "`null` if it's active.",
    ),
  ),
  unverified_since: nullableTimestamp(
    "Since when its URL leads to another origin than before. No webhook is sent there until a test event gets an answer with a 2xx " +
      "status. `null` otherwise.",
  ),
  kept_events: v.pipe(
    countField,
    v.description(`How many webhooks are kept for it, up to ${count(MAX_COUNTED_EVENTS)}.`),
  ),
  last_success_at: nullableTimestamp("When it last accepted a webhook, to the minute. `null` if it never did."),
  last_failure_at: nullableTimestamp("When a delivery to it last failed, to the minute. `null` if none has."),
  failing_since: nullableTimestamp(
    "When deliveries to it began to fail without a success since then. `null` while the last one is a success.",
  ),
  previous_secret_ends_at: nullableTimestamp(
    "Until when webhooks are also signed with secrets from before a rotation. `null` if they aren't.",
  ),
  created_at: timestamp,
};

export const WebhookReceiver = v.pipe(
  v.object(receiverEntries),
  v.description("A receiver of webhooks, without its secret."),
  v.examples([
    {
      id: "rcv_8BDDiltGx3kQv0Zt",
      kind: "saved" as const,
      name: "Order service",
      url: "https://orders.example.com/webhooks",
      status: "active" as const,
      paused_at: null,
      paused_by: null,
      unverified_since: null,
      kept_events: 0,
      last_success_at: "2026-11-21T16:26:44.151Z",
      last_failure_at: "2026-11-20T08:02:11.020Z",
      failing_since: null,
      previous_secret_ends_at: null,
      created_at: "2026-10-31T09:30:00.000Z",
    },
  ]),
);

const signing_secret = v.pipe(v.string(), v.startsWith("whsec_"));

export const IssuedReceiver = v.pipe(
  v.object({
    ...receiverEntries,
    signing_secret: v.pipe(signing_secret, v.description("The new secret that signs the receiver's webhooks.")),
  }),
  v.description("A webhook receiver with its new secret."),
);

export const ReceiverSecret = v.object({
  signing_secret: v.pipe(signing_secret, v.description("The secret that signs the receiver's webhooks.")),
});

export const WebhookReceivers = v.object({
  data: v.pipe(
    v.array(WebhookReceiver),
    v.description(
      "The saved receivers, oldest first, and after them the automatic ones that are paused or failing, up to " +
        `${MAX_LISTED_AUTOMATIC}.`,
    ),
  ),
});

export const ReceiverDelivery = v.object({
  id: v.pipe(integerField, v.description("Increases with the time.")),
  type: v.pipe(
    LoggedDeliverySchema.entries.type,
    v.description("What the webhook reports: the outcome of a capture, or a `test`."),
  ),
  event_id: v.pipe(v.string(), v.description("The header `webhook-id`, which stays the same in retries.")),
  request_id: v.pipe(v.nullable(requestId), v.description("The id of the capture. `null` for a test.")),
  attempt: v.pipe(countField, v.description("1 for the first attempt, 2 for the first retry.")),
  ...webhookDeliveryEntries,
});

export const ReceiverDeliveries = v.object({
  data: v.pipe(v.array(ReceiverDelivery), v.description("The deliveries, newest first.")),
  next_before: v.pipe(
    v.nullable(integerField),
    v.description("Send it as `before` for the next, older deliveries. `null` at the end of the list."),
  ),
});

export const WebhookReplay = v.object({
  message: v.string(),
  captures: v.pipe(countField, v.description("How many captures' webhooks are sent again.")),
  since: timestamp,
  until: v.pipe(
    timestamp,
    v.description("Up to when. It's earlier than you asked for if there are more deliveries than one request sends."),
  ),
});
