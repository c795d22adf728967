// Creates the template's queues in the local SQS. Existing queues keep their messages.
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Resource } from "../assembly/resources.ts";
import { clientOptions } from "./client-options.ts";

export async function createQueues(queues: readonly Resource[], endpoint: string): Promise<void> {
  const client = new SQSClient(clientOptions(endpoint));
  try {
    for (const queue of queues) await createQueue(client, queue);
  } finally {
    client.destroy();
  }
}

async function createQueue(client: SQSClient, { ref: QueueUrl, attributes, properties }: Resource): Promise<void> {
  const QueueName = attributes["QueueName"] ?? "";
  const given = settableAttributes.filter((name) => properties[name] !== undefined);
  const Attributes = Object.fromEntries(given.map((name) => [name, toText(properties[name])]));
  try {
    await client.send(new GetQueueUrlCommand({ QueueName }));
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    // FIFO can only be set when a queue is created.
    const isFifo = String(properties["FifoQueue"]) === "true";
    await client.send(new CreateQueueCommand({ QueueName, Attributes: isFifo ? { FifoQueue: "true" } : undefined }));
  }
  // A dead-letter queue need not exist yet: the engine looks it up when it moves a message.
  if (given.length > 0) await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}

const settableAttributes = [
  "ContentBasedDeduplication",
  "DelaySeconds",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "RedrivePolicy",
  "VisibilityTimeout",
];

function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
