// The queue of webhooks to deliver.
import { sendForAccount } from "../aws/account-queue.ts";
import type { DeliveryRequest } from "./webhook-order.ts";

/** Puts an order into the queue, which nobody sees for `delaySeconds`, at most 900. */
export function enqueueDelivery(
  queueUrl: string,
  order: DeliveryRequest,
  delay: { readonly delaySeconds?: number } = {},
): Promise<void> {
  return sendForAccount(queueUrl, order, delay);
}
