// Event source mappings: batches, retries, dead letters, visibility timeouts and shutdown. The tests run concurrently, each
// with a service of its own, because they wait for retries most of the time.
import { join } from "node:path";
import { type Message, ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { type Service, startService } from "../../../../lib/tools/local/service.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { eventually, packageUrl, serve, type TestAssembly, temporaryFolder, writeAssembly } from "../support.ts";

/** Of a function that sets the visibility timeout of its message. */
const importSqs = `import { ChangeMessageVisibilityCommand, SQSClient } from ${JSON.stringify(packageUrl("@aws-sdk/client-sqs"))};
const sqs = new SQSClient();
const hide = (ReceiptHandle, VisibilityTimeout) =>
  sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle, VisibilityTimeout }));`;

test.concurrent("event source mapping: deletes messages that succeed, and moves those that fail to the dead-letter queue after the last retry", async (cleanup) => {
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
    cleanup,
  );

  await send(service, ["good", "bad", "better"]);

  expect((await deadLetters(service)).map(({ Body }) => Body)).toEqual(["bad"]);
  const handled = (what: string) => lines.flatMap((line) => (line.includes(`handles ${what} `) ? [line.at(-1)] : []));
  expect([handled("good"), handled("better"), handled("bad")]).toEqual([["1"], ["1"], ["1", "2"]]);
});

sampled(test.concurrent, 3).for([
  ["throws", `throw new Error("no");`],
  ["ends its process", "process.exit(1);"],
  ["is out of time", "while (true);"],
])("event source mapping: retries all messages of a batch when the function %s", async ([, statement], cleanup) => {
  const service = await serve(withQueue(`export const handler = async () => { ${statement} };`), {}, cleanup);

  await send(service, ["one"]);

  expect((await deadLetters(service)).map(({ Body }) => Body)).toEqual(["one"]);
});

slowTest.concurrent(
  "event source mapping: runs no more concurrent batches than the template allows",
  async (cleanup) => {
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
      cleanup,
    );

    await send(service, ["1", "2", "3", "4", "5", "6"]);

    const sandboxes = await eventually(() => {
      const seen = lines.flatMap((line) => /from (\d+)/.exec(line)?.[1] ?? []);
      return seen.length === 6 && new Set(seen);
    });
    expect(sandboxes.size).toBe(2);
  },
);

test.concurrent("event source mapping: keeps a message hidden for the visibility timeout that the function has set", async (cleanup) => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      `${importSqs}
      export const handler = async ({ Records: [{ receiptHandle, attributes }] }) => {
        console.log("try " + attributes.ApproximateReceiveCount + " at " + Date.now());
        await hide(receiptHandle, 3);
        throw new Error("later");
      };`,
    ),
    { onLog: (_source, line) => lines.push(line) },
    cleanup,
  );

  await send(service, ["one"]);

  const [first = 0, second = 0] = await eventually(() => {
    const times = lines.flatMap((line) => /try \d at (\d+)/.exec(line)?.[1] ?? []).map(Number);
    return times.length === 2 && times;
  });
  expect(second - first).toBeGreaterThan(2_500);
});

slowTest.concurrent(
  "event source mapping: redelivers a message at once after a restart during its invocation",
  async (cleanup) => {
    const lines: string[] = [];
    const folder = await temporaryFolder(cleanup);
    const assembly = await writeAssembly(join(folder, "cdk.out"), withQueue(hidesForAnHour, hourLong, { Timeout: 60 }));
    const options = { assembly, dataDir: join(folder, "data"), onLog: (_: string, line: string) => lines.push(line) };
    const first = await startService(options);
    await send(first, ["one"]);
    await eventually(() => lines.some((line) => line.includes("has one 1")));

    await first.close();

    expect(lines.some((line) => line.includes("failed with 1 message(s)"))).toBe(true);
    const second = await startService(options);
    cleanup.onTestFinished(() => second.close());
    await eventually(() => lines.some((line) => line.includes("has one 2")));
  },
);

test.concurrent("event source mapping: sends SIGTERM to a running function, and keeps the visibility timeout that it sets then", async (cleanup) => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(
      `export const handler = async ({ Records: [{ messageId }] }) => {
        console.log("has it");
        const working = setInterval(() => {}, 1_000);
        await new Promise((resolve) => process.once("SIGTERM", resolve));
        clearInterval(working);
        await new Promise((resolve) => setTimeout(resolve, 50)); // a write that takes its time
        console.log("gave it back");
        return { batchItemFailures: [{ itemIdentifier: messageId }] };
      };`,
      { FunctionResponseTypes: ["ReportBatchItemFailures"] },
      { Timeout: 60 },
    ),
    { onLog: (_source, line) => lines.push(line) },
    cleanup,
  );
  await send(service, ["one"]);
  await eventually(() => lines.some((line) => line.includes("has it")));

  await service.close();

  await eventually(() => lines.some((line) => line.includes("gave it back")));
  expect(lines.filter((line) => line.includes("failed with"))).toEqual([]);
});

test.concurrent("event source mapping: redelivers a message that waits for a sandbox within a minute when the service is killed, and not twice otherwise", async (cleanup) => {
  const lines: string[] = [];
  const service = await serve(
    withQueue(hidesForAnHour, hourLong, { Timeout: 60, ReservedConcurrentExecutions: 1 }),
    { onLog: (_source, line) => lines.push(line), maxSandboxes: 2 },
    cleanup,
  );

  await send(service, ["one", "two"]);

  const waiting = await eventually(async () => {
    const inFlight = await inFlightOf(service);
    return inFlight.length === 2 && lines.some((line) => line.includes("has ")) && inFlight;
  });
  const seconds = waiting.map(({ visibilityDeadline }) => (visibilityDeadline - Date.now()) / 1000);
  const [soonest = 0, latest = 0] = seconds.toSorted((one, other) => one - other);
  expect(soonest).toBeGreaterThan(0);
  expect(soonest).toBeLessThan(60);
  expect(latest).toBeGreaterThan(3_000); // it belongs to the function, which has hidden it itself
});

test.concurrent("event source mapping: redelivers a message within a minute when the service is killed before the function hides it", async (cleanup) => {
  const lines: string[] = [];
  const works = `export const handler = async () => {
    console.log("has it");
    await new Promise(() => setTimeout(() => {}, 60_000));
  };`;
  const onLog = (_source: string, line: string) => lines.push(line);
  const service = await serve(withQueue(works, {}, { Timeout: 60 }, 720), { onLog }, cleanup);

  await send(service, ["one"]);

  await eventually(() => lines.some((line) => line.includes("has it")));
  const [message] = await inFlightOf(service);
  const seconds = ((message?.visibilityDeadline ?? 0) - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(25);
  expect(seconds).toBeLessThan(60);
});

/** The messages in flight, from the inspection API of the engine. */
async function inFlightOf(service: Service): Promise<{ readonly visibilityDeadline: number }[]> {
  const name = service.resolve("Jobs").split("/").at(-1);
  const response = await fetch(`${service.endpoints.sqs}/_fauxqs/queues/${name}`);
  return (await response.json()).messages.inflight;
}

const hourLong = { BatchSize: 1 };

/** Sets a visibility timeout of one hour, and runs until its own timeout. */
const hidesForAnHour = `${importSqs}
export const handler = async ({ Records: [{ body, receiptHandle, attributes }] }) => {
  await hide(receiptHandle, 3600);
  console.log("has " + body + " " + attributes.ApproximateReceiveCount);
  await new Promise(() => setTimeout(() => {}, 60_000));
};`;

function withQueue(
  source: string,
  mapping: Readonly<Record<string, unknown>> = {},
  settings: Readonly<Record<string, unknown>> = {},
  visibilityTimeout = 60,
): TestAssembly {
  const queueUrl = { Ref: "Jobs" };
  return {
    functions: {
      Works: { source, properties: { Timeout: 1, ...settings, Environment: { Variables: { QUEUE_URL: queueUrl } } } },
    },
    resources: {
      Jobs: {
        Type: "AWS::SQS::Queue",
        Properties: {
          VisibilityTimeout: visibilityTimeout,
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
