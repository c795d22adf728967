// Patches the queue class of the local SQS engine where it differs from SQS.
import { setImmediate } from "node:timers/promises";

/** The part of the engine's queue class that is used here. Its package does not export the class. */
export interface EngineQueue {
  /** Visible messages in order of arrival. Empty for a FIFO queue. */
  messages: QueuedMessage[];
  readonly inflightMessages: ReadonlyMap<string, { readonly message: QueuedMessage }>;
  /** Makes messages visible whose visibility timeout has expired. */
  processTimers(): void;
  dequeue(count: number, ...rest: unknown[]): unknown[];
  changeVisibility(receiptHandle: string, seconds: number): void;
  /** Long polling: resolves when there may be messages, or after the given time. */
  waitForMessages(seconds: number): Promise<void>;
  /** Ends all long polls of the queue, which then receive the visible messages. */
  cancelWaiters(): void;
}

export interface QueuedMessage {
  readonly messageAttributes: Readonly<Record<string, { readonly StringValue?: string }>>;
}

/** The prototype of all queues of this process. Throws when a new version of the engine has moved the class. */
export async function loadEngineQueue(): Promise<EngineQueue> {
  const store = new URL("sqs/sqsStore.js", import.meta.resolve("fauxqs"));
  const { SqsQueue } = (await import(store.href)) as { readonly SqsQueue: { readonly prototype: EngineQueue } };
  return SqsQueue.prototype;
}

/**
 * Replaces a visibility timeout of 0 with 1 ms. With a database, the engine fails at 0 and loses the message until its next
 * start: it writes an undefined receive count, which the database rejects.
 */
export function fixImmediateVisibility(queue: EngineQueue): void {
  const change = queue.changeVisibility;
  queue.changeVisibility = function (this: EngineQueue, receiptHandle, seconds) {
    change.call(this, receiptHandle, Math.max(seconds, 0.001));
  };
}

/**
 * Makes long polls of closed connections receive nothing. The engine would give them the next message, which then stays
 * hidden until its visibility timeout expires. `isCallerGone` says whether the connection of the current request is closed.
 * Returns a function to call when a connection closes: it ends the long polls of all queues, which clients then repeat.
 */
export function endAbandonedPolls(queue: EngineQueue, isCallerGone: () => boolean): () => void {
  const polledQueues = new Set<EngineQueue>();
  const { dequeue, waitForMessages } = queue;
  queue.dequeue = function (this: EngineQueue, ...args) {
    return isCallerGone() ? [] : dequeue.apply(this, args);
  };
  queue.waitForMessages = async function (this: EngineQueue, seconds) {
    polledQueues.add(this);
    await waitForMessages.call(this, seconds);
    await setImmediate(); // The end of the connection may be read after a message that arrived with it.
  };
  return () => {
    for (const each of polledQueues) each.cancelWaiters();
    polledQueues.clear();
  };
}
