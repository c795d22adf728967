// The queue of the local SQS as it is built inside, where it differs from the one of AWS and has to be changed.
import { setImmediate } from "node:timers/promises";

/** What is used of the engine's class, which its package does not export. */
export interface EngineQueue {
  /** Those that may be received, in order of arrival. Empty for a queue that keeps the order of groups (FIFO). */
  messages: QueuedMessage[];
  readonly inflightMessages: ReadonlyMap<string, { readonly message: QueuedMessage }>;
  /** Makes those visible again whose timeout has passed. */
  processTimers(): void;
  dequeue(count: number, ...rest: unknown[]): unknown[];
  changeVisibility(receiptHandle: string, seconds: number): void;
  /** Long polling: resolves when there may be messages, or when the time is over. */
  waitForMessages(seconds: number): Promise<void>;
  /** Ends all long polls of the queue, which then receive what there is. */
  cancelWaiters(): void;
}

export interface QueuedMessage {
  readonly messageAttributes: Readonly<Record<string, { readonly StringValue?: string }>>;
}

/** What all queues of this process have in common. Throws when the engine is no longer built as it was. */
export async function engineQueue(): Promise<EngineQueue> {
  const store = new URL("sqs/sqsStore.js", import.meta.resolve("fauxqs"));
  const { SqsQueue } = (await import(store.href)) as { readonly SqsQueue: { readonly prototype: EngineQueue } };
  return SqsQueue.prototype;
}

/**
 * With a database, the engine fails to make a message visible at once, and loses it until it is started again: the
 * count of its receives is overwritten with nothing, which the database refuses. After a millisecond it is visible, too.
 */
export function letMessagesBeReturned(queue: EngineQueue): void {
  const change = queue.changeVisibility;
  queue.changeVisibility = function (this: EngineQueue, receiptHandle, seconds) {
    change.call(this, receiptHandle, Math.max(seconds, 0.001));
  };
}

/**
 * The engine goes on with a long poll whose caller has closed the connection, and hands it the next message, which stays
 * hidden until its visibility timeout is over. With this change such a poll receives nothing: `isCallerGone` tells of the
 * request that is being answered whether its connection is closed. Returns what ends these polls, to be called when a
 * connection was closed. Other polls that are under way receive nothing either, and are sent again.
 */
export function letPollsBeAbandoned(queue: EngineQueue, isCallerGone: () => boolean): () => void {
  const polled = new Set<EngineQueue>();
  const { dequeue, waitForMessages } = queue;
  queue.dequeue = function (this: EngineQueue, ...args) {
    return isCallerGone() ? [] : dequeue.apply(this, args);
  };
  queue.waitForMessages = async function (this: EngineQueue, seconds) {
    polled.add(this);
    await waitForMessages.call(this, seconds);
    await setImmediate(); // The end of a connection may have arrived together with the message, and be read after it.
  };
  return () => {
    for (const each of polled) each.cancelWaiters();
    polled.clear();
  };
}
