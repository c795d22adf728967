// Event source mappings: poll queues, invoke functions with batches of messages, delete or retry the messages.
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { withHeartbeat } from "../../../service/platform/heartbeat.ts";
import { clientOptions } from "../engines/client-options.ts";
import type { FunctionResponse } from "../lambda/runtime-api.ts";
import type { EventSource } from "./event-source-definition.ts";
import { failedMessages, sqsEvent } from "./sqs-event.ts";
import { hasChangedVisibility } from "./visibility-timeout.ts";

export interface EventSourcesOptions {
  /** Address of SQS. */
  readonly endpoint: string;
  /** Maximum of concurrent batches per source; a lower one in the template applies. */
  readonly maxConcurrency: number;
  /** Rejects with a `FunctionError`. `onStart` is awaited before a sandbox gets the event. */
  invoke(
    functionName: string,
    event: string,
    options: { readonly onStart: () => Promise<void> },
  ): Promise<FunctionResponse>;
  onLog(line: string): void;
}

export interface EventSources {
  /** Replaces the sources. A removed one finishes the messages that it has received. */
  use(sources: readonly EventSource[]): void;
  /** Stops polling. Resolves when all received messages are deleted or returned to their queue. */
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
    const unchanged = running.filter(isWanted);
    const isNew = (source: EventSource) => !unchanged.some((each) => isDeepStrictEqual(source, each.source));
    running = [...unchanged, ...sources.filter(isNew).map(start)];
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
    MaxNumberOfMessages: Math.min(source.batchSize, 10), // larger batches need a batching window, which is not supported
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["All"],
    WaitTimeSeconds: 20,
    VisibilityTimeout: WAITING_VISIBILITY_S,
  });
  const { Messages = [] } = await client.send(command, { abortSignal: stopped });
  return Messages;
}

/**
 * Messages can wait long for a sandbox, and then for their function to claim them. Until the function sets a visibility timeout
 * of its own, theirs is short and extended by heartbeats: when this process is killed, they are delivered again within a minute.
 */
const WAITING_VISIBILITY_S = 30;
const HEARTBEAT_MS = 10_000;
const INVOKED_VISIBILITY_S = 50;
const INVOKED_HEARTBEAT_MS = 25_000;

async function handleBatch(options: PollOptions, messages: readonly Message[], stopped: AbortSignal): Promise<void> {
  const { client, source } = options;
  const { queueUrl: QueueUrl } = source;
  const { failed, hasResponse, visibility } = await invoke(options, messages);
  for (const { ReceiptHandle } of messages.filter((message) => !failed.includes(message))) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  if (stopped.aborted && !hasResponse) {
    await changeVisibility(options, failed, 0); // the service was closed during the invocation: the next one receives them at once
    return;
  }
  // The visibility timeout of the queue is at least the function's timeout, a long wait on a developer's machine. One that the
  // function has set is kept.
  await changeVisibility(options, await unchangedMessages(options, failed, visibility), RETRY_SECONDS);
}

const RETRY_SECONDS = 1;

/** Sets the visibility timeout of messages. */
async function changeVisibility(
  { client, source }: PollOptions,
  messages: readonly Message[],
  seconds: number,
): Promise<void> {
  for (const { ReceiptHandle } of messages) {
    const message = { QueueUrl: source.queueUrl, ReceiptHandle };
    await client.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: seconds }));
  }
}

/** A visibility timeout that messages have got from this process. */
interface VisibilitySetting {
  /** Start and end of the call that set it, in milliseconds since 1970. */
  readonly setBetween: readonly [from: number, to: number];
  readonly seconds: number;
}

/** Sets the visibility timeout of messages whose function is invoked. */
async function hideInvoked(options: PollOptions, messages: readonly Message[]): Promise<VisibilitySetting> {
  const seconds = Math.min(INVOKED_VISIBILITY_S, options.source.visibilityTimeoutSeconds);
  const from = Date.now();
  await changeVisibility(options, messages, seconds);
  return { setBetween: [from, Date.now()], seconds };
}

/** The messages whose visibility timeout is still that setting; all of them without a setting. */
async function unchangedMessages(
  { endpoint, source: { queueUrl } }: PollOptions,
  messages: readonly Message[],
  setting: VisibilitySetting | undefined,
): Promise<Message[]> {
  if (!setting) return [...messages];
  const { setBetween, seconds: visibilityTimeoutSeconds } = setting;
  const isChanged = await Promise.all(
    messages.map(({ ReceiptHandle: receiptHandle = "" }) =>
      hasChangedVisibility(endpoint, { queueUrl, receiptHandle, setBetween, visibilityTimeoutSeconds }),
    ),
  );
  return messages.filter((_, index) => !isChanged[index]);
}

interface BatchOutcome {
  /** Messages to retry. */
  readonly failed: readonly Message[];
  /** False when the function crashed, was killed, or never got the messages. */
  readonly hasResponse: boolean;
  /** The last visibility timeout that the messages have got from this process since they were handed to the function. */
  readonly visibility: VisibilitySetting | undefined;
}

async function invoke(options: PollOptions, messages: readonly Message[]): Promise<BatchOutcome> {
  const { source, onLog } = options;
  let visibility: VisibilitySetting | undefined;
  const report = (error: unknown) => onLog(`${source.queueUrl}: ${error}`);
  const isStarting = Promise.withResolvers<void>();
  const waiting = withHeartbeat(
    () => isStarting.promise,
    () => changeVisibility(options, messages, WAITING_VISIBILITY_S).catch(report),
    HEARTBEAT_MS,
  );
  const onStart = async () => {
    isStarting.resolve();
    await waiting;
    visibility = await hideInvoked(options, messages);
  };
  const extend = async () => {
    const unclaimed = visibility && (await unchangedMessages(options, messages, visibility));
    if (unclaimed && unclaimed.length > 0) visibility = await hideInvoked(options, unclaimed);
  };
  try {
    const event = JSON.stringify(sqsEvent(messages, source.queueArn));
    const work = () => options.invoke(source.functionName, event, { onStart });
    const response = await withHeartbeat(work, () => extend().catch(report), INVOKED_HEARTBEAT_MS);
    const payload = response.isStreamed ? Buffer.concat(await response.payload.toArray()) : response.payload;
    const failed = source.reportsBatchItemFailures ? failedMessages(payload, messages) : [];
    return { failed, hasResponse: true, visibility };
  } catch (error) {
    onLog(`${source.functionName} failed with ${messages.length} message(s) of ${source.queueUrl}: ${error}`);
    return { failed: messages, hasResponse: false, visibility };
  } finally {
    isStarting.resolve();
    await waiting;
  }
}
