// Orders to deliver a webhook, as they travel through the queue.
import * as v from "valibot";

const id = v.pipe(v.number(), v.safeInteger());

/**
 * - `deliver`: the job has its outcome; tell it
 * - `watch`: the job should have its outcome by now; see to it that it has one, then tell it
 */
export const DeliveryRequestSchema = v.object({
  kind: v.picklist(["deliver", "watch"]),
  account_id: id,
  job_id: id,
  /** The round of the webhook that it belongs to; without one, whichever that is in. */
  round: v.optional(v.number()),
});
export type DeliveryRequest = v.InferOutput<typeof DeliveryRequestSchema>;

/** The order that a message has as its body. Throws for a message that is none. */
export function parseDeliveryRequest(body: string): DeliveryRequest {
  return v.parse(DeliveryRequestSchema, JSON.parse(body));
}
