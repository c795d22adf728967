// Makes the template's queues in the local SQS, and leaves those that are there with their messages.
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Resource } from "../assembly/resources.ts";
import { clientOptions } from "./client-options.ts";

export async function makeQueues(queues: readonly Resource[], endpoint: string): Promise<void> {
  const client = new SQSClient(clientOptions(endpoint));
  try {
    for (const queue of queues) await makeQueue(client, queue);
  } finally {
    client.destroy();
  }
}

async function makeQueue(client: SQSClient, { ref: QueueUrl, attributes, properties }: Resource): Promise<void> {
  const QueueName = attributes["QueueName"] ?? "";
  const given = settableAttributes.filter((name) => properties[name] !== undefined);
  const Attributes = Object.fromEntries(given.map((name) => [name, asText(properties[name])]));
  try {
    await client.send(new GetQueueUrlCommand({ QueueName }));
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    // Only at birth can a queue become a FIFO one.
    const isFifo = String(properties["FifoQueue"]) === "true";
    await client.send(new CreateQueueCommand({ QueueName, Attributes: isFifo ? { FifoQueue: "true" } : undefined }));
  }
  // Queues that dead letters are sent to need not exist yet: the reference is only followed when it is used.
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

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
