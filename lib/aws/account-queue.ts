// Queues in which accounts take turns: one that has many messages does not hold up the others.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqs } from "./clients/sqs.ts";
import { queueText } from "./queue-text.ts";

/** Puts a message of an account into a queue, as JSON; nobody sees it for `delaySeconds`, at most 900. */
export async function sendForAccount(
  queueUrl: string,
  message: { readonly account_id: number },
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
