// Queues that feed functions, with the retries and dead letters that SQS and Lambda promise.
import { type Message, ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { clientOptions } from "../../lib/local/local-cloud.ts";
import type { Service } from "../../lib/local/service.ts";
import { eventually, serve, type TestAssembly } from "./support.ts";

test("deletes what succeeds and sends what fails to the dead letters after its last try", async () => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      `export const handler = async ({ Records }) => {
        for (const { body, attributes } of Records) console.log("handles " + body + " " + attributes.ApproximateReceiveCount);
        return { batchItemFailures: Records.filter(({ body }) => body === "bad")
          .map(({ messageId }) => ({ itemIdentifier: messageId })) };
      };`,
      { FunctionResponseTypes: ["ReportBatchItemFailures"] },
    ),
    { onLog: (_source, line) => lines.push(line) },
  );

  await send(service, ["good", "bad", "better"]);

  expect((await deadLetters(service)).map(({ Body }) => Body)).toEqual(["bad"]);
  const handled = (what: string) => lines.flatMap((line) => (line.includes(`handles ${what} `) ? [line.at(-1)] : []));
  expect([handled("good"), handled("better"), handled("bad")]).toEqual([["1"], ["1"], ["1", "2"]]);
});

test.each([
  ["throws", `throw new Error("no");`],
  ["ends its process", "process.exit(1);"],
  ["is out of time", "while (true);"],
])("gives all messages of a batch back when the function %s", async (_what, statement) => {
  const service = await serve(withQueue(`export const handler = async () => { ${statement} };`));

  await send(service, ["one"]);

  expect((await deadLetters(service)).map(({ Body }) => Body)).toEqual(["one"]);
});

test("runs no more batches at a time than the template allows", async () => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      `export const handler = async () => {
        console.log("from " + process.pid);
        await new Promise((resolve) => setTimeout(resolve, 300)); // long enough for another to start
      };`,
      { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } },
    ),
    { onLog: (_source, line) => lines.push(line) },
  );

  await send(service, ["1", "2", "3", "4", "5", "6"]);

  const sandboxes = await eventually(() => {
    const seen = lines.flatMap((line) => /from (\d+)/.exec(line)?.[1] ?? []);
    return seen.length === 6 && new Set(seen);
  });
  expect(sandboxes.size).toBe(2);
});

test("leaves a message hidden for as long as the function has asked", async () => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      // What ChangeMessageVisibility of the SDK sends.
      `export const handler = async ({ Records: [{ receiptHandle, attributes }] }) => {
        console.log("try " + attributes.ApproximateReceiveCount + " at " + Date.now());
        await fetch(process.env.AWS_ENDPOINT_URL_SQS, {
          method: "POST",
          headers: { "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "AmazonSQS.ChangeMessageVisibility" },
          body: JSON.stringify({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle: receiptHandle, VisibilityTimeout: 3 }),
        });
        throw new Error("later");
      };`,
    ),
    { onLog: (_source, line) => lines.push(line) },
  );

  await send(service, ["one"]);

  const [first = 0, second = 0] = await eventually(() => {
    const times = lines.flatMap((line) => /try \d at (\d+)/.exec(line)?.[1] ?? []).map(Number);
    return times.length === 2 && times;
  });
  expect(second - first).toBeGreaterThan(2_500);
});

test("returns a message to the queue when it is closed while the function has it", async () => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      `export const handler = () => { console.log("has it"); return new Promise(() => setTimeout(() => {}, 9_000)); };`,
    ),
    { onLog: (_source, line) => lines.push(line) },
  );
  await send(service, ["one"]);
  await eventually(() => lines.some((line) => line.includes("has it")));

  await service.close();

  expect(lines.some((line) => line.includes("failed with 1 message(s)"))).toBe(true);
});

function withQueue(source: string, mapping: Readonly<Record<string, unknown>> = {}): TestAssembly {
  const queueUrl = { Ref: "Jobs" };
  return {
    functions: { Works: { source, properties: { Timeout: 1, Environment: { Variables: { QUEUE_URL: queueUrl } } } } },
    resources: {
      Jobs: {
        Type: "AWS::SQS::Queue",
        Properties: {
          VisibilityTimeout: 60,
          RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 2 },
        },
      },
      Dead: { Type: "AWS::SQS::Queue" },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: { EventSourceArn: { "Fn::GetAtt": ["Jobs", "Arn"] }, FunctionName: { Ref: "Works" }, ...mapping },
      },
    },
  };
}

async function send(service: Service, bodies: readonly string[]): Promise<void> {
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
  await client(service).send(new SendMessageBatchCommand({ QueueUrl: service.resolve("Jobs"), Entries }));
}

async function deadLetters(service: Service): Promise<Message[]> {
  return eventually(async () => {
    const command = new ReceiveMessageCommand({ QueueUrl: service.resolve("Dead"), MaxNumberOfMessages: 10 });
    return (await client(service).send(command)).Messages;
  });
}

function client(service: Service): SQSClient {
  return new SQSClient(clientOptions(service.endpoints.sqs));
}
