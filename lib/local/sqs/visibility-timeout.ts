// Tells whether a function has set the visibility timeout of a message itself, which SQS has no question for.
export interface ReceivedMessage {
  readonly queueUrl: string;
  readonly receiptHandle: string;
  /** When the call that set its visibility timeout to the queue's own began and ended, in milliseconds since 1970. */
  readonly setBetween: readonly [from: number, to: number];
  /** The queue's own. */
  readonly visibilityTimeoutSeconds: number;
}

/** True as well when the message is no longer in flight. `endpoint` is that of the engine, which lets us look inside. */
export async function hasOwnVisibility(endpoint: string, message: ReceivedMessage): Promise<boolean> {
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
