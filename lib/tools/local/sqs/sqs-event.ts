// The event of a batch of SQS messages, and the partial batch response (`batchItemFailures`) of a function.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
import type { Message } from "@aws-sdk/client-sqs";
import type { SQSEvent, SQSRecord, SQSRecordAttributes } from "aws-lambda";
import { REGION } from "../engines/client-options.ts";

export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => sqsRecord(message, queueArn)) };
}

/** The messages to retry; all of them when the response is malformed or names an unknown message. */
export function failedMessages(response: Buffer, messages: readonly Message[]): readonly Message[] {
  const failures = readBatchItemFailures(response);
  const failed = failures.map((id) => messages.find(({ MessageId }) => MessageId === id));
  return failed.includes(undefined) ? messages : messages.filter((message) => failed.includes(message));
}

function readBatchItemFailures(response: Buffer): unknown[] {
  try {
    const { batchItemFailures: failures = [] } = JSON.parse(response.toString()) ?? {};
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
