// Sends messages to fair queues: the message group is the account, so one with many messages does not delay others.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqs } from "./clients/sqs.ts";
import { queueText } from "./queue-text.ts";

/** Sends a message of an account as JSON. It is delayed by `delaySeconds`, at most 900. */
export async function sendForAccount(
  queueUrl: string,
  message: { readonly account_id: number; readonly [field: string]: unknown },
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Promise<void> {
  const account = String(message.account_id);
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: queueText(message),
      MessageGroupId: account,
      MessageAttributes: { account: { DataType: "String", StringValue: account } },
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
  );
}
