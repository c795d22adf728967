// The event that Lambda makes of a batch of messages, and what a function's answer says about each of them.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
import type { Message } from "@aws-sdk/client-sqs";
import type { SQSEvent, SQSRecord, SQSRecordAttributes } from "aws-lambda";
import { REGION } from "../engines/client-options.ts";

export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => sqsRecord(message, queueArn)) };
}

/** The messages that have to be delivered again; all of them when the answer is not a list of such messages. */
export function failedMessages(answer: Buffer, messages: readonly Message[]): readonly Message[] {
  const failures = batchItemFailures(answer);
  const failed = failures.map((id) => messages.find(({ MessageId }) => MessageId === id));
  return failed.includes(undefined) ? messages : messages.filter((message) => failed.includes(message));
}

function batchItemFailures(answer: Buffer): unknown[] {
  try {
    const { batchItemFailures: failures = [] } = JSON.parse(answer.toString()) ?? {};
    return (failures ?? []).map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
  } catch {
    return [undefined];
  }
}

function sqsRecord(message: Message, queueArn: string): SQSRecord {
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    attributes: { ...message.Attributes } as unknown as SQSRecordAttributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(
        ([name, { DataType = "String", StringValue, BinaryValue }]) => [
          name,
          {
            dataType: DataType,
            ...(StringValue !== undefined && { stringValue: StringValue }),
            ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
            stringListValues: [],
            binaryListValues: [],
          },
        ],
      ),
    ),
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}
