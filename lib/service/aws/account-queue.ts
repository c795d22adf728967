// Sends messages to fair queues: the message group is the account, so one with many messages does not delay others.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqs } from "./clients/sqs.ts";
import { queueText } from "./queue-text.ts";

/** The longest that SQS delays a message, in seconds. */
export const MAX_DELAY_S = 900;

/** A message of an account. */
export interface AccountMessage {
  readonly account_id: number;
  readonly [field: string]: unknown;
}

/** Sends a message of an account as JSON. It is delayed by `delaySeconds`, at most `MAX_DELAY_S`. */
export async function sendForAccount(
  queueUrl: string,
  message: AccountMessage,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Promise<void> {
  const input = accountMessageInput(queueUrl, message);
  await sqs().send(new SendMessageCommand({ ...input, ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }) }));
}

/** The parameters of SQS's `SendMessage` for a message of an account. */
export function accountMessageInput(queueUrl: string, message: AccountMessage) {
  const account = String(message.account_id);
  return {
    QueueUrl: queueUrl,
    MessageBody: queueText(message),
    MessageGroupId: account,
    MessageAttributes: { account: { DataType: "String", StringValue: account } },
  };
}
