// Dead-letter queues, as the operator reads and redrives them.
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

/** Visibility timeout in seconds, long enough to receive and handle all messages. */
const VISIBILITY_TIMEOUT_S = 120;

/** SQS hands out at most ten messages at once. */
const MAX_BATCH = 10;

/**
 * Handles dead letters sequentially, oldest first: all of them, or at most `limit`. Each stays invisible to other consumers for two minutes,
 * or until it is released. Resolves to the results.
 */
export async function forEachDeadLetter<T>(
  queueUrl: string,
  handle: (letter: DeadLetter) => Promise<T>,
  limit = Infinity,
): Promise<T[]> {
  const results: T[] = [];
  for (const letter of await receiveDeadLetters(queueUrl, limit)) results.push(await handle(letter));
  return results;
}

async function receiveDeadLetters(queueUrl: string, limit: number): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  while (letters.length < limit) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(MAX_BATCH, limit - letters.length),
      MessageSystemAttributeNames: ["SentTimestamp"],
      VisibilityTimeout: VISIBILITY_TIMEOUT_S,
      // Long polling makes SQS query all of its servers.
      WaitTimeSeconds: 1,
    });
    const { Messages = [] } = await sqs().send(command);
    if (Messages.length === 0) break;
    letters.push(...Messages.map(toDeadLetter));
  }
  return letters.toSorted((one, other) => one.sentAt - other.sentAt);
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
