// The queue of webhooks to deliver.
import { sendForAccount } from "../aws/account-queue.ts";
import type { WebhookOrder } from "./webhook-order.ts";

/** Puts an order into the queue, which nobody sees for `delaySeconds`, at most 900. */
export function sendWebhookOrder(
  queueUrl: string,
  order: WebhookOrder,
  delay: { readonly delaySeconds?: number } = {},
): Promise<void> {
  return sendForAccount(queueUrl, order, delay);
}
