// The dead-letter queue of asynchronous captures, as the operator's commands read and redrive it.
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { sqs } from "../aws/clients/sqs.ts";
import { type JobMessage, parseJobMessage } from "./job-queue.ts";

export interface DeadLetter {
  /** When it was sent to the render queue, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Undefined when it is not a job message. */
  readonly message: JobMessage | undefined;
  /** SQS receipt handle, which deletes or releases it. */
  readonly receipt: string;
}

/** Visibility timeout in seconds, long enough to receive all messages. */
const VISIBILITY_TIMEOUT_S = 120;

/** Receives all dead letters. Each stays invisible to other consumers for two minutes, or until it is released. */
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
    if (Messages.length === 0) return letters;
    letters.push(...Messages.map(toDeadLetter));
  }
}

function toDeadLetter({ Body = "", Attributes, ReceiptHandle = "" }: Message): DeadLetter {
  return { sentAt: Number(Attributes?.SentTimestamp ?? 0), message: parseJobMessage(Body), receipt: ReceiptHandle };
}

/** Makes a dead letter visible to other consumers again. */
export async function releaseDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  const message = { QueueUrl: queueUrl, ReceiptHandle: receipt };
  await sqs().send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
}

export async function deleteDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
}
