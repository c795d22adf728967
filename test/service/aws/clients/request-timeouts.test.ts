// Time limits of the SDK's requests.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { dynamodb } from "../../../../lib/service/aws/clients/dynamodb.ts";
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
    requestHandler: requestTimeouts(100),
  });
  await expect(client.send(new GetItemCommand({ TableName: "t", Key: { id: { S: "1" } } }))).rejects.toMatchObject({
    name: "TimeoutError",
  });
});

test("every client of AWS has time limits", async () => {
  process.env["AWS_REGION"] ??= "us-east-1";
  const limits = await Promise.all(
    [dynamodb(), s3(), ses(), sqs(), sts()].map(async ({ config }) => {
      const { connectionTimeout, requestTimeout, throwOnRequestTimeout } = await handlerConfig(config.requestHandler);
      return [connectionTimeout, requestTimeout, throwOnRequestTimeout];
    }),
  );
  expect(limits).toEqual([5_000, 20_000, 5_000, 5_000, 5_000].map((requestTimeout) => [1_000, requestTimeout, true]));
});

/** The settings of a client's handler, which it computes when it is first used. */
async function handlerConfig(handler: object): Promise<Record<string, unknown>> {
  return (await (handler as { configProvider: Promise<Record<string, unknown>> }).configProvider) ?? {};
}
