// A transaction whose response is lost: it was committed, so it is repeated, and takes effect once.
import { randomUUID } from "node:crypto";
import { InternalServerError } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { hasUnknownOutcome, transact } from "../../../lib/service/aws/transaction.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type LosingEngine, startLosingEngine } from "../../support/losing-engine.ts";
import { slowTest } from "../../support/slow-run.ts";
import { makeTable } from "../../support/tables.ts";

let engine: LosingEngine;
const [usage, activity] = ["Usage", "Activity"];
beforeAll(async () => {
  engine = await startLosingEngine();
  await Promise.all([usage, activity].map(makeTable));
});
afterAll(() => engine.close());

/** More than the SDK's own attempts. */
const LOST = 4;

const addOne = (pk: string) =>
  transact([
    {
      Update: {
        TableName: usage,
        Key: { pk, sk: "COUNT" },
        UpdateExpression: "ADD captures :one",
        ExpressionAttributeValues: { ":one": 1 },
      },
    },
  ]);

async function count(pk: string): Promise<unknown> {
  const command = new GetCommand({ TableName: usage, Key: { pk, sk: "COUNT" }, ConsistentRead: true });
  return (await dynamodb().send(command)).Item?.["captures"];
}

test("unknown outcome: a transaction whose responses are lost takes effect once, and resolves", async () => {
  engine.lose("closed", "TransactWriteItems", LOST);
  await addOne("closed");
  expect(await count("closed")).toBe(1);
  expect(engine.calls("TransactWriteItems")).toBe(LOST + 1);
});

test("unknown outcome: a capture whose record was committed is logged and counted once, and its caller gets the id", async () => {
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: 900 });
  const preferredId = createId(Date.UTC(2026, 0, 31, 12, 7), 0);
  engine.lose("closed", "TransactWriteItems", LOST);
  const record = { preferredId, attempt: randomUUID(), event };
  expect(await recordCapture({ usage, activity, retentionDays: 400 }, record)).toBe(preferredId);
  const logs = await dynamodb().send(
    new QueryCommand({
      TableName: activity,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": "LOG#900#2026-01" },
    }),
  );
  const months = await dynamodb().send(
    new QueryCommand({
      TableName: usage,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": "MONTHS#900" },
    }),
  );
  expect(logs.Items).toHaveLength(1);
  expect(months.Items).toMatchObject([{ s31: 1 }]);
});

slowTest(
  "unknown outcome: a transaction that is not answered three times takes effect once, and resolves",
  async () => {
    engine.lose("stalled", "TransactWriteItems", 3);
    await addOne("stalled");
    expect(await count("stalled")).toBe(1);
  },
);

test.each([
  ["a time-out", Object.assign(new Error(), { name: "TimeoutError" }), true],
  ["a connection that was reset", Object.assign(new Error(), { code: "ECONNRESET" }), true],
  ["a fault of DynamoDB", new InternalServerError({ message: "", $metadata: { httpStatusCode: 500 } }), true],
  ["an error of the caller", Object.assign(new Error(), { $metadata: { httpStatusCode: 400 } }), false],
  ["an error of ours", new TypeError("x is undefined"), false],
  ["what is no error", "ECONNRESET", false],
])("unknown outcome: %s has one: %o", (_, error, has) => {
  expect(hasUnknownOutcome(error)).toBe(has);
});
