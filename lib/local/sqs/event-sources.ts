// Feeds a queue's messages to a function as an SQS event source mapping does: batches, deletion, retries.
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { withHeartbeat } from "../../platform/heartbeat.ts";
import { clientOptions } from "../engines/client-options.ts";
import type { FunctionAnswer } from "../lambda/runtime-api.ts";
import type { EventSource } from "./event-source-definition.ts";
import { failedMessages, sqsEvent } from "./sqs-event.ts";
import { hasOwnVisibility } from "./visibility-timeout.ts";

export interface EventSourcesOptions {
  /** Address of SQS. */
  readonly endpoint: string;
  /** At most so many batches of a source at a time, where the template allows more. */
  readonly maxConcurrency: number;
  /** Rejects with a `FunctionError`. `onStart` is awaited when a sandbox is about to take the event. */
  invoke(functionName: string, event: string, onStart: () => Promise<void>): Promise<FunctionAnswer>;
  onLog(line: string): void;
}

export interface EventSources {
  /** Feeds these from now on; one that is no longer among them is finished with the messages it has taken. */
  use(sources: readonly EventSource[]): void;
  /** Takes no more messages; resolves when those that were taken are done with or given back. */
  close(): Promise<void>;
}

export function createEventSources(options: EventSourcesOptions): EventSources {
  const client = new SQSClient(clientOptions(options.endpoint));
  const polls = new Set<Promise<void>>();
  let running: { readonly source: EventSource; readonly stopped: AbortController }[] = [];

  const start = (source: EventSource) => {
    const stopped = new AbortController();
    const concurrency = Math.min(options.maxConcurrency, source.maximumConcurrency ?? options.maxConcurrency);
    for (let count = 0; count < concurrency; count++) {
      const done = poll({ ...options, client, source }, stopped.signal).finally(() => polls.delete(done));
      polls.add(done);
    }
    return { source, stopped };
  };
  const use = (sources: readonly EventSource[]) => {
    const isWanted = (each: { source: EventSource }) =>
      sources.some((source) => isDeepStrictEqual(source, each.source));
    for (const { stopped } of running.filter((each) => !isWanted(each))) stopped.abort();
    const kept = running.filter(isWanted);
    const isNew = (source: EventSource) => !kept.some((each) => isDeepStrictEqual(source, each.source));
    running = [...kept, ...sources.filter(isNew).map(start)];
  };
  return {
    use,
    async close() {
      use([]);
      await Promise.all(polls);
      client.destroy();
    },
  };
}

interface PollOptions extends EventSourcesOptions {
  readonly client: SQSClient;
  readonly source: EventSource;
}

async function poll(options: PollOptions, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      const messages = await receive(options, stopped);
      if (messages.length > 0) await handleBatch(options, messages, stopped);
    } catch (error) {
      if (stopped.aborted) return;
      options.onLog(`${options.source.queueUrl}: ${error}`);
      await setTimeout(PAUSE_AFTER_ERROR_MS);
    }
  }
}

const PAUSE_AFTER_ERROR_MS = 1_000;

async function receive({ client, source }: PollOptions, stopped: AbortSignal): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: source.queueUrl,
    MaxNumberOfMessages: Math.min(source.batchSize, 10), // larger batches are collected by waiting, which is not run here
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["All"],
    WaitTimeSeconds: 20,
    VisibilityTimeout: WAITING_VISIBILITY_S,
  });
  const { Messages = [] } = await client.send(command, { abortSignal: stopped });
  return Messages;
}

/**
 * Messages can wait for a sandbox for long. Until one takes them, their visibility timeout is short and extended by
 * heartbeats: if this process is killed, they are handed out again soon. From then on it is the queue's own, as on AWS,
 * which the function may shorten.
 */
const WAITING_VISIBILITY_S = 30;
const HEARTBEAT_MS = 10_000;

async function handleBatch(options: PollOptions, messages: readonly Message[], stopped: AbortSignal): Promise<void> {
  const { client, endpoint, source } = options;
  const { queueUrl: QueueUrl, visibilityTimeoutSeconds } = source;
  const { failed, isAnswered, startedBetween } = await invoke(options, messages);
  for (const { ReceiptHandle } of messages.filter((message) => !failed.includes(message))) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  if (stopped.aborted && !isAnswered) {
    await hide(options, failed, 0); // it was in work when the service was closed: the next one takes it at once
    return;
  }
  for (const message of failed) {
    // The queue's own timeout is a multiple of the function's, which is long to wait at one's desk. One that the
    // function has set is meant.
    const received = { queueUrl: QueueUrl, receiptHandle: message.ReceiptHandle ?? "", visibilityTimeoutSeconds };
    const isMeant = startedBetween && (await hasOwnVisibility(endpoint, { ...received, setBetween: startedBetween }));
    if (!isMeant) await hide(options, [message], RETRY_SECONDS);
  }
}

const RETRY_SECONDS = 1;

/** Hides messages for so many seconds from now on. */
async function hide({ client, source }: PollOptions, messages: readonly Message[], seconds: number): Promise<void> {
  for (const { ReceiptHandle } of messages) {
    const message = { QueueUrl: source.queueUrl, ReceiptHandle };
    await client.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: seconds }));
  }
}

interface Invoked {
  /** Messages that the function did not manage. */
  readonly failed: readonly Message[];
  /** False when the function crashed, was killed, or was never given them. */
  readonly isAnswered: boolean;
  /** When their visibility timeout was set to the queue's own, in milliseconds since 1970; undefined if it never was. */
  readonly startedBetween: readonly [from: number, to: number] | undefined;
}

async function invoke(options: PollOptions, messages: readonly Message[]): Promise<Invoked> {
  const { source, onLog } = options;
  let startedBetween: Invoked["startedBetween"];
  const isStarting = Promise.withResolvers<void>();
  const waiting = withHeartbeat(
    () => isStarting.promise,
    () => hide(options, messages, WAITING_VISIBILITY_S).catch((error) => onLog(`${source.queueUrl}: ${error}`)),
    HEARTBEAT_MS,
  );
  const onStart = async () => {
    isStarting.resolve();
    await waiting;
    const from = Date.now();
    await hide(options, messages, source.visibilityTimeoutSeconds);
    startedBetween = [from, Date.now()];
  };
  try {
    const event = JSON.stringify(sqsEvent(messages, source.queueArn));
    const answer = await options.invoke(source.functionName, event, onStart);
    const payload = answer.isStreamed ? Buffer.concat(await answer.payload.toArray()) : answer.payload;
    const failed = source.reportsBatchItemFailures ? failedMessages(payload, messages) : [];
    return { failed, isAnswered: true, startedBetween };
  } catch (error) {
    onLog(`${source.functionName} failed with ${messages.length} message(s) of ${source.queueUrl}: ${error}`);
    return { failed: messages, isAnswered: false, startedBetween };
  } finally {
    isStarting.resolve();
    await waiting;
  }
}
