// Time limits of the SDK's requests.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { codedeploy } from "../../../../lib/service/aws/clients/codedeploy.ts";
import { dynamodb } from "../../../../lib/service/aws/clients/dynamodb.ts";
import { kms } from "../../../../lib/service/aws/clients/kms.ts";
import { lambda } from "../../../../lib/service/aws/clients/lambda.ts";
import { requestTimeouts } from "../../../../lib/service/aws/clients/request-timeouts.ts";
import { s3 } from "../../../../lib/service/aws/clients/s3.ts";
import { ses } from "../../../../lib/service/aws/clients/ses.ts";
import { sqs } from "../../../../lib/service/aws/clients/sqs.ts";
import { sts } from "../../../../lib/service/aws/clients/sts.ts";
import { startTcp } from "../../../fixtures/site.ts";
import { closing } from "../../../support/closing.ts";

test.each([
  ["says nothing", ""],
  ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
  ["answers without end", "HTTP/1.1 100 Continue\r\n\r\n"],
])("a request to a server that %s ends with its time limit", async (_, words) => {
  const { port } = closing(await startTcp((socket) => socket.once("data", () => socket.write(words))));
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    maxAttempts: 1,
    requestHandler: requestTimeouts({ requestTimeout: 100 }),
  });
  await expect(client.send(new GetItemCommand({ TableName: "t", Key: { id: { S: "1" } } }))).rejects.toMatchObject({
    name: "TimeoutError",
  });
});

test("a response whose body stops ends with the limit for idle connections", async () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 100\r\n\r\n{";
  const { port } = closing(await startTcp((socket) => socket.once("data", () => socket.write(head))));
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    maxAttempts: 1,
    requestHandler: requestTimeouts({ requestTimeout: 1_000, socketTimeout: 100 }),
  });
  await expect(client.send(new GetItemCommand({ TableName: "t", Key: { id: { S: "1" } } }))).rejects.toThrow();
});

test("every client of AWS has time limits", async () => {
  process.env["AWS_REGION"] ??= "us-east-1";
  const clients = [dynamodb(), kms(), ses(), sqs(), sts(), codedeploy(), s3(), lambda()];
  const limits = await Promise.all(
    clients.map(async ({ config }) => {
      const { connectionTimeout, requestTimeout, socketTimeout, throwOnRequestTimeout } = await handlerConfig(
        config.requestHandler,
      );
      return [connectionTimeout, requestTimeout, socketTimeout, throwOnRequestTimeout];
    }),
  );
  const usual = [1_000, 5_000, 6_000, true];
  expect(limits).toEqual([
    ...[usual, usual, usual, usual, usual, usual],
    [1_000, 20_000, 60_000, true],
    [1_000, 90_000, 91_000, true],
  ]);
});

/** The settings of a client's handler, which it computes when it is first used. */
async function handlerConfig(handler: object): Promise<Record<string, unknown>> {
  return (await (handler as { configProvider: Promise<Record<string, unknown>> }).configProvider) ?? {};
}
