// The number of messages in the queues of the local SQS.

/** A queue of the template. */
export interface Queue {
  readonly logicalId: string;
  readonly url: string;
}

export interface QueueDepth {
  readonly queue: Queue;
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

const TIMEOUT_MS = 2_000;

/** The depths of these queues, by one request to the inspection API of the engine at `endpoint`. */
export async function readQueueDepths(endpoint: string, queues: readonly Queue[]): Promise<QueueDepth[]> {
  const response = await fetch(`${endpoint}/_fauxqs/queues`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const inspected = (await response.json()) as readonly InspectedQueue[];
  return queues.flatMap((queue) => {
    const found = inspected.find(({ name }) => name === queue.url.split("/").at(-1));
    if (!found) return [];
    const { approximateMessageCount: visible, approximateInflightCount: inFlight } = found;
    return { queue, visible, inFlight, delayed: found.approximateDelayedCount };
  });
}

interface InspectedQueue {
  readonly name: string;
  readonly approximateMessageCount: number;
  readonly approximateInflightCount: number;
  readonly approximateDelayedCount: number;
}
