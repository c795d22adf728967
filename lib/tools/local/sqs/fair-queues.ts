// Fair queues for the local SQS: a message group with many messages in flight does not delay other groups.
//
// SQS measures the share of each `MessageGroupId` of a standard queue in messages in flight and in processing time. A group
// above 10 % is noisy: messages of quiet groups are delivered first, and of several noisy groups the one with the fewest
// messages in flight. A message without a group is a group of its own.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
//
// The engine drops the group of such messages and delivers them in order of arrival. So the group is read from the message
// attribute `account`, which is sent with it. One machine has few messages in flight, and any group is a large share of them,
// so the rule here is: the oldest message of a group with the fewest in flight.
import type { EngineQueue, QueuedMessage } from "./engine-queue.ts";

export function enableFairQueues(queue: EngineQueue): void {
  const dequeue = queue.dequeue;
  queue.dequeue = function (this: EngineQueue, count, ...rest) {
    const received: unknown[] = [];
    while (received.length < count) {
      this.processTimers();
      moveNextToFront(this);
      const [next] = dequeue.call(this, 1, ...rest); // one by one, because each changes the counts
      if (next === undefined) break;
      received.push(next);
    }
    return received;
  };
}

function moveNextToFront(queue: EngineQueue): void {
  const inFlight = new Map<string, number>();
  for (const { message } of queue.inflightMessages.values()) {
    const group = messageGroup(message);
    if (group !== undefined) inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
  }
  const load = (message: QueuedMessage) => inFlight.get(messageGroup(message) ?? "") ?? 0;
  const [first, ...others] = queue.messages;
  if (!first) return;
  const next = others.reduce((best, message) => (load(message) < load(best) ? message : best), first);
  if (next !== first) queue.messages = [next, ...queue.messages.filter((message) => message !== next)];
}

function messageGroup({ messageAttributes }: QueuedMessage): string | undefined {
  return messageAttributes["account"]?.StringValue;
}
