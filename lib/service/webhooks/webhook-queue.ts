// The webhook delivery queue: the schema of its messages, and the producer.
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

/** Parses the body of a queue message. Throws when it is not a delivery request. */
export function parseDeliveryRequest(body: string): DeliveryRequest {
  return v.parse(DeliveryRequestSchema, JSON.parse(body));
}

/** Queues a delivery request. It stays invisible to consumers for `delaySeconds`, at most 900. */
export function enqueueDelivery(
  queueUrl: string,
  request: DeliveryRequest,
  delay: { readonly delaySeconds?: number } = {},
): Promise<void> {
  return sendForAccount(queueUrl, request, delay);
}
