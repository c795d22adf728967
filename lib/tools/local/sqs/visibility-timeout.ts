// Detects whether a function has changed the visibility timeout of a message, for which SQS has no API.

export interface ReceivedMessage {
  readonly queueUrl: string;
  readonly receiptHandle: string;
  /** Start and end of the call that set its visibility timeout, in milliseconds since 1970. */
  readonly setBetween: readonly [from: number, to: number];
  /** The visibility timeout that the call has set. */
  readonly visibilityTimeoutSeconds: number;
}

/** Also true when the message is no longer in flight. `endpoint` is that of the engine, which has an inspection API. */
export async function hasChangedVisibility(endpoint: string, message: ReceivedMessage): Promise<boolean> {
  const { queueUrl, receiptHandle, setBetween, visibilityTimeoutSeconds } = message;
  const response = await fetch(`${endpoint}/_fauxqs/queues/${queueUrl.split("/").at(-1)}`);
  const { messages } = (await response.json()) as InspectedQueue;
  const visibleAt = messages.inflight.find((each) => each.receiptHandle === receiptHandle)?.visibilityDeadline;
  if (visibleAt === undefined) return true;
  const [earliest, latest] = setBetween.map((time) => time + visibilityTimeoutSeconds * 1000);
  return visibleAt < (earliest ?? 0) || visibleAt > (latest ?? 0);
}

interface InspectedQueue {
  readonly messages: {
    readonly inflight: readonly { readonly receiptHandle: string; readonly visibilityDeadline: number }[];
  };
}
