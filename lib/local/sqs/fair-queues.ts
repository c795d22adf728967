// Makes the local queues fair, as those of SQS are: who has many messages in flight does not keep others waiting.
//
// On AWS, a standard queue whose messages carry a `MessageGroupId` looks at each group's part of what is in flight and
// of the time that receivers spend. A group above 10 % is noisy: messages of quiet groups are handed out first, and of
// several noisy groups the one with the fewest in flight comes first. A message without a group is one of its own.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
//
// The engine forgets the group of such messages and hands them out as they came. So the group is read from the message
// attribute `account`, which is sent beside it. With the few messages in flight on one machine any group is a large part
// of them, hence simply: the oldest message of a group with the fewest in flight.
import type { EngineQueue, QueuedMessage } from "./engine-queue.ts";

export function makeFair(queue: EngineQueue): void {
  const dequeue = queue.dequeue;
  queue.dequeue = function (this: EngineQueue, count, ...rest) {
    const received: unknown[] = [];
    while (received.length < count) {
      this.processTimers();
      bringNextToFront(this);
      const [next] = dequeue.call(this, 1, ...rest); // one by one, as each of them counts for the next
      if (next === undefined) break;
      received.push(next);
    }
    return received;
  };
}

function bringNextToFront(queue: EngineQueue): void {
  const inFlight = new Map<string, number>();
  for (const { message } of queue.inflightMessages.values()) {
    const group = groupOf(message);
    if (group !== undefined) inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
  }
  const load = (message: QueuedMessage) => inFlight.get(groupOf(message) ?? "") ?? 0;
  const [first, ...others] = queue.messages;
  if (!first) return;
  const next = others.reduce((best, message) => (load(message) < load(best) ? message : best), first);
  if (next !== first) queue.messages = [next, ...queue.messages.filter((message) => message !== next)];
}

function groupOf({ messageAttributes }: QueuedMessage): string | undefined {
  return messageAttributes["account"]?.StringValue;
}
