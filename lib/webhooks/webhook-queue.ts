// The queue of webhooks to deliver.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqs } from "../platform/clients.ts";
import type { WebhookOrder } from "./webhook-order.ts";

/** Puts an order into the queue, which nobody sees for `delaySeconds`, at most 900. Accounts take turns. */
export async function sendWebhookOrder(
  queueUrl: string,
  order: WebhookOrder,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Promise<void> {
  const account = String(order.account_id);
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(order),
      MessageGroupId: account,
      MessageAttributes: { account: { DataType: "String", StringValue: account } },
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
  );
}
