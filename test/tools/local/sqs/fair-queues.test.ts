// Fair queues of the local SQS engine, and long polls of closed connections.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProcesses } from "../../../../lib/tools/local/child-process.ts";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { type EngineProcess, spawnS3AndSqs } from "../../../../lib/tools/local/engines/engines.ts";

let engine: EngineProcess;
let client: SQSClient;
const dataDir = mkdtempSync(join(tmpdir(), "fair-queues-"));
beforeAll(async () => {
  engine = spawnS3AndSqs({ dataDir, runFolder: dataDir, onLog: () => {} });
  client = new SQSClient(clientOptions(await engine.endpoint));
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("fair queues: one message of an account is not delayed by two hundred of another", async () => {
  const queue = await newQueue();
  await queue.send("A", 200);
  await queue.send("B", 1);

  expect(accounts([...(await queue.receive(1)), ...(await queue.receive(1))])).toEqual(["A", "B"]);
});

test("fair queues: a batch has messages of all waiting accounts, the oldest of each first", async () => {
  const queue = await newQueue();
  await queue.send("A", 6);
  await queue.send("B", 2);
  await queue.send("C", 1);

  const bodies = (await queue.receive(9)).map(({ Body }) => Body);
  expect(bodies).toEqual(["A 1", "B 1", "C 1", "A 2", "B 2", "A 3", "A 4", "A 5", "A 6"]);
});

test("fair queues: deleted and returned messages no longer count as in flight", async () => {
  const queue = await newQueue();
  await queue.send("A", 4);
  const [done, returned] = await queue.receive(2);
  await queue.send("B", 3);
  const [first] = await queue.receive(1);
  await queue.finish(done);
  await queue.giveBack(returned);

  // B has one in flight, A none; then both have one, and the message of A has waited for longer.
  expect([first?.Body, ...(await queue.receive(2)).map(({ Body }) => Body)]).toEqual(["B 1", "A 3", "A 4"]);
});

test("fair queues: messages without an account arrive in order, and a busy account does not delay them", async () => {
  const queue = await newQueue();
  await queue.send("A", 3);
  await queue.send(undefined, 2);

  const bodies = (await queue.receive(5)).map(({ Body }) => Body);
  expect(bodies).toEqual(["A 1", "undefined 1", "undefined 2", "A 2", "A 3"]);
});

test("fair queues: a FIFO queue keeps the order of its messages", async () => {
  const queue = await newQueue({ FifoQueue: "true", ContentBasedDeduplication: "true" });
  await queue.send("A", 2);
  await queue.send("B", 1);

  expect((await queue.receive(1)).map(({ Body }) => Body)).toEqual(["A 1"]);
  expect(await queue.receive(1)).toEqual([]);
});

test("long polling: a message that arrives while connections close is not delivered to their polls", async () => {
  const queue = await newQueue();
  const [engineId = 0] = findProcesses({ folder: dataDir });
  const connections = await Promise.all(Array.from({ length: 20 }, () => queue.startPoll()));
  // Connections are read in the order in which they were opened. An answer on a new one means: all polls are read.
  const newConnection = new SQSClient(clientOptions(await engine.endpoint));
  await newConnection.send(new ListQueuesCommand());
  newConnection.destroy();

  process.kill(engineId, "SIGSTOP"); // it learns of all at once
  for (const connection of connections) connection.destroy();
  const sending = queue.send("A", 1);
  await setTimeout(20);
  process.kill(engineId, "SIGCONT");
  await sending;

  expect(accounts(await queue.receive(1, 10))).toEqual(["A"]);
});

let count = 0;
async function newQueue(Attributes: Readonly<Record<string, string>> = {}) {
  const isFifo = Attributes["FifoQueue"] === "true";
  const QueueName = `queue-${++count}${isFifo ? ".fifo" : ""}`;
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  const send = async (account: string | undefined, messages: number) => {
    const entries = Array.from({ length: messages }, (_, index) => ({
      Id: String(index),
      MessageBody: `${account} ${index + 1}`,
      ...(isFifo && { MessageGroupId: "one" }),
      ...(account && { MessageAttributes: { account: { DataType: "String", StringValue: account } } }),
    }));
    for (let from = 0; from < messages; from += 10)
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: entries.slice(from, from + 10) }));
  };
  const receive = async (MaxNumberOfMessages: number, WaitTimeSeconds = 0) => {
    const settings = { MaxNumberOfMessages, WaitTimeSeconds, MessageAttributeNames: ["All"] };
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, ...settings }));
    return Messages;
  };
  /** Sends a long poll. Resolves to its connection, without waiting for the answer. */
  const startPoll = async () => {
    const body = JSON.stringify({ QueueUrl, WaitTimeSeconds: 20 });
    const { hostname, port, host } = new URL(await engine.endpoint);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const headers = [
      `Host: ${host}`,
      "Content-Type: application/x-amz-json-1.0",
      "X-Amz-Target: AmazonSQS.ReceiveMessage",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    await new Promise((resolve) => socket.write(`POST / HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`, resolve));
    return socket;
  };
  const finish = (message: Message | undefined) =>
    client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  const giveBack = (message: Message | undefined) =>
    client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 0 }),
    );
  return { send, receive, startPoll, finish, giveBack };
}

function accounts(messages: readonly Message[]) {
  return messages.map(({ MessageAttributes }) => MessageAttributes?.["account"]?.StringValue);
}
