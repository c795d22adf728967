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
import type { EventSource } from "./event-source-definition.ts";
import { clientOptions } from "./local-cloud.ts";
import type { FunctionAnswer } from "./runtime-api.ts";
import { failedMessages, sqsEvent } from "./sqs-event.ts";
import { hasOwnVisibility } from "./visibility.ts";

export interface EventSourcesOptions {
  /** Address of SQS. */
  readonly endpoint: string;
  /** At most so many batches of a source at a time, where the template allows more. */
  readonly maxConcurrency: number;
  /** Rejects with a `FunctionError`. */
  invoke(functionName: string, event: string): Promise<FunctionAnswer>;
  onLog(line: string): void;
}

export interface EventSources {
  /** Feeds these from now on; one that is no longer among them is finished with the messages it has taken. */
  use(sources: readonly EventSource[]): void;
  /** Takes no more messages; resolves when those that were taken are done with. */
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
      const from = Date.now();
      const messages = await receive(options, stopped);
      if (messages.length > 0) await handleBatch(options, messages, [from, Date.now()]);
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
  });
  const { Messages = [] } = await client.send(command, { abortSignal: stopped });
  return Messages;
}

async function handleBatch(
  options: PollOptions,
  messages: readonly Message[],
  receivedBetween: readonly [from: number, to: number],
): Promise<void> {
  const { client, endpoint, source } = options;
  const { queueUrl: QueueUrl, visibilityTimeoutSeconds } = source;
  const failed = await invoke(options, messages);
  for (const { ReceiptHandle } of messages.filter((message) => !failed.includes(message))) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  for (const { ReceiptHandle = "" } of failed) {
    const received = { queueUrl: QueueUrl, receiptHandle: ReceiptHandle, receivedBetween, visibilityTimeoutSeconds };
    // The queue's own timeout is a multiple of the function's, which is long to wait at one's desk. One that the
    // function has set is meant.
    if (await hasOwnVisibility(endpoint, received)) continue;
    await client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: RETRY_SECONDS }),
    );
  }
}

const RETRY_SECONDS = 1;

/** Resolves to the messages that the function did not manage. */
async function invoke(
  { source, invoke, onLog }: PollOptions,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  try {
    const answer = await invoke(source.functionName, JSON.stringify(sqsEvent(messages, source.queueArn)));
    const payload = answer.isStreamed ? Buffer.concat(await answer.payload.toArray()) : answer.payload;
    return source.reportsBatchItemFailures ? failedMessages(payload, messages) : [];
  } catch (error) {
    onLog(`${source.functionName} failed with ${messages.length} message(s) of ${source.queueUrl}: ${error}`);
    return messages;
  }
}
