// Handler of an SQS queue: each message is deleted, or delivered again after a delay (partial batch response).
import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { exitTaintedSandbox } from "../../engine/browser/tainted-sandbox.ts";
import { logError } from "../platform/log.ts";
import { sqs } from "./clients/sqs.ts";
import { MAX_VISIBILITY_TIMEOUT_S } from "./visibility-timeout.ts";

export interface QueueMessage {
  readonly body: string;
  /** How often it was delivered, this time included. */
  readonly receives: number;
  /** Sets its visibility timeout to so many seconds from now, at most 12 hours after it was delivered. */
  readonly hide: (seconds: number) => Promise<void>;
}

/**
 * Resolves to undefined when a message is finished, otherwise to the seconds after which it is delivered again. When this
 * rejects, the message is delivered again after the visibility timeout of the queue.
 */
export type HandleMessage = (message: QueueMessage) => Promise<number | undefined>;
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** A handler of the messages of the queue at `queueUrl`. */
export function queueHandler(queueUrl: string, handle: HandleMessage): QueueHandler {
  return async ({ Records }) => {
    const isRetried = await Promise.all(Records.map((record) => handleRecord(record, { queueUrl, handle })));
    exitTaintedSandbox();
    const retried = Records.filter((_, index) => isRetried[index]);
    return { batchItemFailures: retried.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

interface Handling {
  readonly queueUrl: string;
  readonly handle: HandleMessage;
}

/** Handles one message. Resolves to true when it is to be delivered again. */
async function handleRecord(record: SQSRecord, { queueUrl, handle }: Handling): Promise<boolean> {
  const hide = async (seconds: number) => {
    if (record.receiptHandle === "") return; // of the check of a new version, whose message is in no queue
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
