// The queue of captures that are to be taken.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqs } from "../platform/clients.ts";
import type { JobMessage } from "./job-message.ts";

/** Puts a capture into the queue. Accounts take turns there: a group that has many messages does not hold up the others. */
export async function sendJob(queueUrl: string, message: JobMessage): Promise<void> {
  const account = String(message.account_id);
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(message),
      MessageGroupId: account,
      MessageAttributes: { account: { DataType: "String", StringValue: account } },
    }),
  );
}
