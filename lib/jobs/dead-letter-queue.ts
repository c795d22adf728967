// Messages that no function managed: captures in the background which the operator can look at and send round again.
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { sqs } from "../aws/clients/sqs.ts";
import { type JobMessage, parseJobMessage } from "./job-queue.ts";

export interface DeadLetter {
  /** When it was put into the queue of captures, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Undefined where it is none of a job. */
  readonly message: JobMessage | undefined;
  /** By which it is deleted or let go. */
  readonly receipt: string;
}

/** Longer than it takes to look at all of them. */
const HIDDEN_S = 120;

/** All dead letters; each is hidden from others for two minutes, or until it is let go. */
export async function receiveDeadLetters(queueUrl: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["SentTimestamp"],
      VisibilityTimeout: HIDDEN_S,
      // Asked for so long, SQS looks into all places where messages of the queue are.
      WaitTimeSeconds: 1,
    });
    const { Messages = [] } = await sqs().send(command);
    if (Messages.length === 0) return letters;
    letters.push(...Messages.map(letterOf));
  }
}

function letterOf({ Body = "", Attributes, ReceiptHandle = "" }: Message): DeadLetter {
  return { sentAt: Number(Attributes?.SentTimestamp ?? 0), message: parseJobMessage(Body), receipt: ReceiptHandle };
}

/** Lets others see a dead letter again. */
export async function releaseDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  const message = { QueueUrl: queueUrl, ReceiptHandle: receipt };
  await sqs().send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
}

export async function deleteDeadLetter(queueUrl: string, { receipt }: DeadLetter): Promise<void> {
  await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
}
