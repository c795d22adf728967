import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { listen, stopListening } from "../../../lib/tools/local/loopback.ts";
import {
  type Call,
  type EngineName,
  operationOf,
  startCountingEngine,
} from "../../../lib/tools/measure/counting-engine.ts";

const s3 = (method: string, url: string) => operationOf("s3", { method, url, headers: {} });

test.each([
  ["dynamodb", "DynamoDB_20120810.TransactWriteItems", "TransactWriteItems"],
  ["sqs", "AmazonSQS.SendMessage", "SendMessage"],
] as const)("a call to %s is called what its header %s says", (engine, target, name) => {
  expect(operationOf(engine, { method: "POST", url: "/", headers: { "x-amz-target": target } })).toBe(name);
});

test("counting engine: names S3 operations by method and query", () => {
  expect(s3("PUT", "/bucket/key?x-id=PutObject")).toBe("PutObject");
  expect(s3("GET", "/bucket/key")).toBe("GetObject");
  expect(s3("POST", "/bucket/key?uploads=")).toBe("CreateMultipartUpload");
  expect(s3("PUT", "/bucket/key?partNumber=1&uploadId=2")).toBe("UploadPart");
});

/** What an engine before a database that always answers the same notes of one call. */
async function callTo(engine: EngineName, target: string, answer: object) {
  const requested: string[] = [];
  const database = createServer(async (request, response) => {
    requested.push(await text(request));
    response.end(JSON.stringify(answer));
  });
  const calls: Call[] = [];
  const counting = await startCountingEngine(engine, (call) => calls.push(call));
  onTestFinished(async () => {
    await Promise.all([counting.close(), stopListening(database)]);
  });
  counting.leadTo(`http://${await listen(database)}`);
  const headers = { "x-amz-target": target };
  const answered = await fetch(counting.endpoint, { method: "POST", headers, body: '{"TableName":"t"}' });
  return { requested: JSON.parse(requested[0] ?? ""), answered: await answered.json(), call: calls[0] };
}

test("counting engine: requests the consumed capacity of DynamoDB, and sums it over the tables of a transaction", async () => {
  const answer = {
    ConsumedCapacity: [
      { TableName: "a", CapacityUnits: 4 },
      { TableName: "b", CapacityUnits: 2 },
    ],
  };
  const { requested, answered, call } = await callTo("dynamodb", "DynamoDB_20120810.TransactWriteItems", answer);
  expect(requested).toEqual({ TableName: "t", ReturnConsumedCapacity: "TOTAL" });
  expect(answered).toEqual(answer);
  expect(call).toMatchObject({ operation: "TransactWriteItems", readUnits: 0, writeUnits: 6 });
  expect(call?.unitsByTable).toEqual({ a: 4, b: 2 });
});

test("counting engine: separates reads from writes", async () => {
  const { call } = await callTo("dynamodb", "DynamoDB_20120810.GetItem", { ConsumedCapacity: { CapacityUnits: 1 } });
  expect(call).toMatchObject({ operation: "GetItem", readUnits: 1, writeUnits: 0 });
});

test("counting engine: forwards calls to a queue unchanged", async () => {
  const { requested, call } = await callTo("sqs", "AmazonSQS.SendMessage", { MessageId: "1" });
  expect(requested).toEqual({ TableName: "t" });
  expect(call).toMatchObject({ engine: "sqs", operation: "SendMessage", readUnits: 0, writeUnits: 0 });
});
