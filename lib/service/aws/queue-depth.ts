// The number of messages of a queue, by their state.
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { sqs } from "./clients/sqs.ts";

export interface QueueDepth {
  readonly waiting: number;
  /** Received by a consumer, or postponed until a retry. */
  readonly inFlight: number;
  readonly delayed: number;
}

/** Reads the numbers, which SQS knows approximately: they can lag behind by a minute. */
export async function readQueueDepth(queueUrl: string): Promise<QueueDepth> {
  const command = new GetQueueAttributesCommand({
    QueueUrl: queueUrl,
    AttributeNames: [
      "ApproximateNumberOfMessages",
      "ApproximateNumberOfMessagesNotVisible",
      "ApproximateNumberOfMessagesDelayed",
    ],
  });
  const { Attributes = {} } = await sqs().send(command);
  return {
    waiting: Number(Attributes["ApproximateNumberOfMessages"] ?? 0),
    inFlight: Number(Attributes["ApproximateNumberOfMessagesNotVisible"] ?? 0),
    delayed: Number(Attributes["ApproximateNumberOfMessagesDelayed"] ?? 0),
  };
}

export function totalOf({ waiting, inFlight, delayed }: QueueDepth): number {
  return waiting + inFlight + delayed;
}
