// The queue of webhooks: the schemas of its messages, and the producers.
import * as v from "valibot";
import { sendForAccount } from "../aws/account-queue.ts";

const id = v.pipe(v.number(), v.safeInteger());

/**
 * - `deliver`: the job has ended; send its webhook
 * - `watch`: the job's lease should have ended by now; fail the job if its worker died, then send its webhook
 */
const DeliveryRequestSchema = v.object({
  kind: v.picklist(["deliver", "watch"]),
  account_id: id,
  job_id: id,
  /** The delivery round this message belongs to; absent when it applies to any round. */
  round: v.optional(v.number()),
});
export type DeliveryRequest = v.InferOutput<typeof DeliveryRequestSchema>;

/** Requests to send many events of a saved receiver. `at` is when it was requested, in milliseconds since 1970. */
const ReceiverRequestSchema = v.variant("kind", [
  /** The receiver was resumed or deleted: send the events that were kept. */
  v.object({ kind: v.literal("resume"), account_id: id, receiver_id: v.string(), at: v.number() }),
  /** Send the events again whose deliveries have an id from `from` to `to`. */
  v.object({
    kind: v.literal("replay"),
    account_id: id,
    receiver_id: v.string(),
    at: v.number(),
    from: id,
    to: id,
  }),
]);
export type ReceiverRequest = v.InferOutput<typeof ReceiverRequestSchema>;

export type WebhookMessage = DeliveryRequest | ReceiverRequest;

const WebhookMessageSchema = v.union([DeliveryRequestSchema, ReceiverRequestSchema]);

/** Parses the body of a queue message. Throws when it is not one of the queue. */
export function parseWebhookMessage(body: string): WebhookMessage {
  return v.parse(WebhookMessageSchema, JSON.parse(body));
}

/** True for a message about a saved receiver, false for one about a job. */
export function isReceiverRequest(message: WebhookMessage): message is ReceiverRequest {
  return "receiver_id" in message;
}

/** Queues a message. It stays invisible to consumers for `delaySeconds`, at most 900. */
export function enqueueDelivery(
  queueUrl: string,
  request: WebhookMessage,
  delay: { readonly delaySeconds?: number } = {},
): Promise<void> {
  return sendForAccount(queueUrl, request, delay);
}
