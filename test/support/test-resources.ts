// Empty tables, bucket and queues in engines of their own, and the environment variables that name them.
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import { s3 } from "../../lib/service/aws/clients/s3.ts";
import { sqs } from "../../lib/service/aws/clients/sqs.ts";
import type { Environment } from "../../lib/service/platform/environment.ts";
import { type RunningTables, startTables } from "./tables.ts";

export interface TestResources {
  readonly tables: RunningTables["tables"];
  readonly env: Pick<
    Environment,
    | "ACCOUNTS_TABLE"
    | "USAGE_TABLE"
    | "ACTIVITY_TABLE"
    | "USAGE_RETENTION_DAYS"
    | "RESULTS_BUCKET"
    | "RENDER_QUEUE_URL"
    | "WEBHOOK_QUEUE_URL"
    | "FAILED_RENDER_QUEUE_URL"
    | "ACCOUNT_DATA_QUEUE_URL"
    | "DELETION_SWEEP_SECONDS"
    | "BASE_URL"
    | "MAX_STREAMED_RESULT_BYTES"
    | "MAX_CONCURRENT_CAPTURES"
    | "MAX_WAITING_BULKS"
  >;
  close(): Promise<void>;
}

/** Starts them, and points this process's AWS clients at them. Once per test file; see `startTables`. */
export async function startTestResources(): Promise<TestResources> {
  const [running, engine] = await Promise.all([startTables(), startFauxqs({ port: 0, logger: false })]);
  const address = `http://127.0.0.1:${engine.port}`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: address, AWS_ENDPOINT_URL_SQS: address });
  await s3().send(new CreateBucketCommand({ Bucket: "results" }));
  const [renders = "", webhooks = "", failedRenders = "", accountData = ""] = await Promise.all(
    ["renders", "webhooks", "failed-renders", "account-data"].map((name) => makeQueue(address, name)),
  );
  const { tables } = running;
  return {
    tables,
    env: {
      ACCOUNTS_TABLE: tables.accounts,
      USAGE_TABLE: tables.usage,
      ACTIVITY_TABLE: tables.activity,
      USAGE_RETENTION_DAYS: 400,
      RESULTS_BUCKET: "results",
      RENDER_QUEUE_URL: renders,
      WEBHOOK_QUEUE_URL: webhooks,
      FAILED_RENDER_QUEUE_URL: failedRenders,
      ACCOUNT_DATA_QUEUE_URL: accountData,
      DELETION_SWEEP_SECONDS: 900,
      BASE_URL: "http://api.test",
      MAX_STREAMED_RESULT_BYTES: 10_000_000,
      MAX_CONCURRENT_CAPTURES: 200,
      MAX_WAITING_BULKS: 10,
    },
    async close() {
      await Promise.all([running.close(), engine.stop()]);
    },
  };
}

/** The engine shows an address by a name that is not resolved. */
async function makeQueue(address: string, QueueName: string): Promise<string> {
  const { QueueUrl = "" } = await sqs().send(new CreateQueueCommand({ QueueName }));
  return `${address}${new URL(QueueUrl).pathname}`;
}

/** The bodies of the messages that a queue hands out now; each is handed out once. */
export async function receiveMessages(queueUrl: string): Promise<unknown[]> {
  const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 3600 });
  const { Messages = [] } = await sqs().send(command);
  return Messages.map(({ Body = "" }) => JSON.parse(Body));
}

/** The bodies of the messages that a queue hands out now, which are deleted. */
export async function takeMessages(queueUrl: string): Promise<unknown[]> {
  const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
  const { Messages = [] } = await sqs().send(command);
  await Promise.all(
    Messages.map(({ ReceiptHandle }) => sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }))),
  );
  return Messages.map(({ Body = "" }) => JSON.parse(Body));
}

/** How many messages a queue does not hand out yet, because their delay is not over. */
export const countDelayedMessages = (queueUrl: string) => countInState(queueUrl, "Delayed");

/** How many messages a queue has, whether it hands them out now or later. */
export async function countMessages(queueUrl: string): Promise<number> {
  const counts = await Promise.all(
    (["", "NotVisible", "Delayed"] as const).map((state) => countInState(queueUrl, state)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countInState(queueUrl: string, state: "" | "NotVisible" | "Delayed"): Promise<number> {
  const name = `ApproximateNumberOfMessages${state}` as const;
  const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [name] });
  const { Attributes } = await sqs().send(command);
  return Number(Attributes?.[name]);
}
