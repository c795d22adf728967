// Messages of an SQS queue: each is finished, delivered again later or reported by itself.
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sqs } from "../../../lib/service/aws/clients/sqs.ts";
import { type HandleMessage, queueHandler } from "../../../lib/service/aws/queue-handler.ts";
import { aContext } from "../../support/builders.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let queue: string;
beforeAll(async () => {
  running = await startTestResources();
  queue = running.env.RENDER_QUEUE_URL;
});
afterAll(() => running.close());

/** Puts messages into the queue and takes them out again, as Lambda hands them to a function. */
async function received(...bodies: string[]): Promise<SQSRecord[]> {
  for (const MessageBody of bodies) await sqs().send(new SendMessageCommand({ QueueUrl: queue, MessageBody }));
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({ QueueUrl: queue, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["All"] }),
  );
  return Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "", Attributes }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: { ...Attributes } as unknown as SQSRecord["attributes"],
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "",
    awsRegion: "",
  }));
}

const run = (records: SQSRecord[], handle: HandleMessage) =>
  queueHandler(queue, handle)({ Records: records }, aContext());

test("queue: a finished message is deleted, and another one is delivered again after its delay", async () => {
  const records = await received("done", "again");
  const answer = await run(records, async ({ body }) => (body === "done" ? undefined : 0));
  const again = records.find(({ body }) => body === "again");
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: again?.messageId }] });
  expect((await received()).map(({ body }) => body)).toEqual(["again"]);
});

test("queue: a message whose handler throws is logged and keeps the visibility timeout of the queue", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const records = await received('"broken"');
  const answer = await run(records, async () => {
    throw new Error("It broke.");
  });
  expect(answer.batchItemFailures).toHaveLength(1);
  expect(JSON.stringify(log.mock.calls)).toMatch(/It broke\./);
  log.mockRestore();
  expect(await receiveMessages(queue)).toEqual([]);
});

test("queue: a message has its body and receive count, and its visibility timeout can be changed", async () => {
  const [record] = await received('"told"');
  const reported: unknown[] = [];
  await run([record as SQSRecord], async ({ body, receives, hide }) => {
    reported.push(body, receives);
    await hide(0);
    return undefined;
  });
  expect(reported).toEqual(['"told"', 1]);
  expect(await receiveMessages(queue)).toEqual(["told"]); // it was not deleted: the event source mapping does that
});
