// The shell around every function that a queue feeds: each message is done with, or handed out again after a while.
import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { sqs } from "../aws/clients/sqs.ts";
import { MAX_VISIBILITY_TIMEOUT_S } from "../aws/visibility-timeout.ts";
import { exitTaintedSandbox } from "../engine/browser/tainted-sandbox.ts";
import { logError } from "../platform/log.ts";

export interface QueueMessage {
  readonly body: string;
  /** How often it has been handed out, this time included. */
  readonly receives: number;
  /** Hides it from others for so many seconds from now on, at most 12 hours after it was handed out. */
  readonly hide: (seconds: number) => Promise<void>;
}

/**
 * Resolves to undefined when a message is done with, otherwise to the seconds after which it is handed out again. After a
 * rejection it comes again as soon as the queue's own visibility timeout has passed.
 */
export type HandleMessage = (message: QueueMessage) => Promise<number | undefined>;
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** A handler of the messages of the queue at `queueUrl`. */
export function queueHandler(queueUrl: string, handle: HandleMessage): QueueHandler {
  return async ({ Records }) => {
    const isOpen = await Promise.all(Records.map((record) => isLeft(record, { queueUrl, handle })));
    exitTaintedSandbox();
    const open = Records.filter((_, index) => isOpen[index]);
    return { batchItemFailures: open.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

interface Handling {
  readonly queueUrl: string;
  readonly handle: HandleMessage;
}

/** True for a message that is to be handed out again. */
async function isLeft(record: SQSRecord, { queueUrl, handle }: Handling): Promise<boolean> {
  const hide = async (seconds: number) => {
    const VisibilityTimeout = Math.max(0, Math.min(MAX_VISIBILITY_TIMEOUT_S, Math.ceil(seconds)));
    const message = { QueueUrl: queueUrl, ReceiptHandle: record.receiptHandle };
    await sqs().send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout }));
  };
  const receives = Number(record.attributes.ApproximateReceiveCount);
  try {
    const seconds = await handle({ body: record.body, receives, hide });
    if (seconds === undefined) return false;
    await hide(seconds);
  } catch (error) {
    logError("message failed", error, { message_id: record.messageId, receives });
  }
  return true;
}
