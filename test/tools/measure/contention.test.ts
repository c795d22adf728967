// The model of DynamoDB's contention follows the documented rules.
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { isConflict } from "../../../lib/service/aws/transaction.ts";
import { type Contention, startContention } from "../../../lib/tools/measure/contention.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let contention: Contention | undefined;
beforeAll(async () => {
  running = await startTables();
});
afterEach(() => contention?.stop());
afterAll(() => running.close());

const PARTITION_UNITS = 10;

const start = (now = () => 0) => {
  const options = { transactionMs: 50, writeMs: 50, partitionUnits: PARTITION_UNITS, now };
  contention = startContention(dynamodb(), options);
  return contention;
};

let items = 0;
const anItem = (pk = `TEST#${items++}`) => ({ pk, sk: "1" });
const update = (Key: Record<string, string>) => ({
  TableName: running.tables.usage,
  Key,
  UpdateExpression: "ADD made :one",
  ExpressionAttributeValues: { ":one": 1 },
});
const write = (key: Record<string, string>) => dynamodb().send(new UpdateCommand(update(key)));
const transaction = (...keys: Record<string, string>[]) =>
  dynamodb().send(new TransactWriteCommand({ TransactItems: keys.map((key) => ({ Update: update(key) })) }));
const read = async (key: Record<string, string>) =>
  (await dynamodb().send(new GetCommand({ TableName: running.tables.usage, Key: key, ConsistentRead: true }))).Item;

describe("contention: of two that update the same item at once,", () => {
  test("a transaction is cancelled by another one, with the item that is in conflict", async () => {
    start();
    const [own, shared, other] = [anItem(), anItem(), anItem()];
    const [first, second] = await Promise.allSettled([transaction(own, shared), transaction(other, shared)]);
    expect(first.status).toBe("fulfilled");
    const error = second.status === "rejected" && second.reason;
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(error.CancellationReasons).toEqual([{ Code: "None" }, { Code: "TransactionConflict" }]);
    expect(isConflict(error)).toBe(true);
    expect(await read(other)).toBeUndefined();
    expect(await read(shared)).toMatchObject({ made: 1 });
  });

  test("a write is rejected by a transaction", async () => {
    start();
    const item = anItem();
    const [, second] = await Promise.allSettled([transaction(item), write(item)]);
    expect(second).toMatchObject({ status: "rejected", reason: expect.any(TransactionConflictException) });
    expect(await read(item)).toMatchObject({ made: 1 });
  });

  test("a transaction is cancelled by a write", async () => {
    start();
    const item = anItem();
    const [, second] = await Promise.allSettled([write(item), transaction(item)]);
    expect(second).toMatchObject({ status: "rejected", reason: expect.any(TransactionCanceledException) });
  });

  test("writes wait for each other", async () => {
    start();
    const item = anItem();
    await Promise.all([write(item), write(item), write(item)]);
    expect(await read(item)).toMatchObject({ made: 3 });
  });
});

test("contention: transactions of different items, reads, and what comes after a transaction are not affected", async () => {
  const model = start();
  const [one, another] = [anItem(), anItem()];
  await Promise.all([transaction(one), transaction(another), read(one)]);
  await transaction(one, another);
  await write(one);
  expect(await read(one)).toMatchObject({ made: 3 });
  expect(model).toMatchObject({ conflicts: 0 });
});

test("contention: a partition key takes its units of a second, and those of the next second after it", async () => {
  let now = 0;
  const model = start(() => now);
  const writes = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, index) => write({ pk: "HOT#1", sk: String(index) })));
  const refused = (await writes(PARTITION_UNITS + 3)).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: expect.any(ProvisionedThroughputExceededException) });
  now = 1_000;
  expect((await writes(1))[0]).toMatchObject({ status: "fulfilled" });
  expect(model).toMatchObject({ throttled: 3 });
  expect(model.busiest.get("HOT")).toBe(PARTITION_UNITS);
});

test("contention: refused transactions are charged, two units for each item", async () => {
  const model = start();
  const [own, shared] = [anItem(), anItem()];
  await Promise.allSettled([transaction(shared), transaction(own, shared)]);
  expect(model).toMatchObject({ units: 6, conflicts: 1 });
});
