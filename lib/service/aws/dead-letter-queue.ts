// Dead-letter queues, as the operator's commands read and redrive them.
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { sqs } from "./clients/sqs.ts";

export interface DeadLetter {
  /** When it was first sent, in milliseconds since 1970. */
  readonly sentAt: number;
  /** The text of the message. */
  readonly body: string;
  /** SQS receipt handle, which deletes or releases it. */
  readonly receipt: string;
}

/** Visibility timeout in seconds, long enough to receive all messages. */
const VISIBILITY_TIMEOUT_S = 120;

/** Receives all dead letters, oldest first. Each stays invisible to other consumers for two minutes, or until it is released. */
export async function receiveDeadLetters(queueUrl: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["SentTimestamp"],
      VisibilityTimeout: VISIBILITY_TIMEOUT_S,
      // Long polling makes SQS query all of its servers.
      WaitTimeSeconds: 1,
    });
    const { Messages = [] } = await sqs().send(command);
    if (Messages.length === 0) return letters.toSorted((a, b) => a.sentAt - b.sentAt);
    letters.push(...Messages.map(toDeadLetter));
  }
}

function toDeadLetter({ Body = "", Attributes, ReceiptHandle = "" }: Message): DeadLetter {
  return { sentAt: Number(Attributes?.SentTimestamp ?? 0), body: Body, receipt: ReceiptHandle };
}

/** Makes a dead letter visible to other consumers again. */
export async function releaseDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  const message = { QueueUrl: queueUrl, ReceiptHandle: receipt };
  await sqs().send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
}

export async function deleteDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
}
