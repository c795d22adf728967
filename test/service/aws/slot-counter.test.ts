// Concurrency slots as numbers, on a real table.
import { GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import {
  giveSlotBack,
  type HeldSlot,
  MAX_HOLD_MS,
  releaseSlotUpdate,
  takeSlot,
} from "../../../lib/service/aws/slot-counter.ts";
import { transact } from "../../../lib/service/aws/transaction.ts";
import { itemBytes } from "../../fixtures/item-bytes.ts";
import { IS_SLOW_RUN } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const HOUR_MS = 60 * 60 * 1000;
const now = Date.UTC(2026, 0, 31, 12, 7);

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

let counters = 0;
function aCounter({ limit = 5, shards = 1 } = {}) {
  const pk = `SLOTS#${counters++}`;
  const counter = { table: running.tables.usage, keyOf: (shard: number) => ({ pk, sk: `TEST${shard}` }) };
  const itemOf = async (shard: number) => {
    const command = new GetCommand({ TableName: counter.table, Key: counter.keyOf(shard), ConsistentRead: true });
    return (await dynamodb().send(command)).Item ?? {};
  };
  return {
    counter,
    take: (at = now) => takeSlot(counter, { limit, shards, now: at }),
    /** How many of so many concurrent requests get a slot, and the numbers that the others are reported. */
    takeAll: async (count: number, at = now) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => takeSlot(counter, { limit, shards, now: at })),
      );
      const slots = answers.flatMap((answer) => ("slot" in answer ? answer.slot : []));
      const reported = answers.flatMap((answer) => ("taken" in answer ? answer.taken : []));
      return { slots, reported: [...new Set(reported)] };
    },
    release: (slot: HeldSlot) => transact([{ Update: releaseSlotUpdate(counter, slot) }]),
    itemOf,
    taken: async () => {
      const items = await Promise.all(Array.from({ length: shards }, (_, shard) => itemOf(shard)));
      return items.reduce((sum, { taken = 0 }) => sum + Number(taken), 0);
    },
  };
}

describe.each([1, 4])("slots in %i shards", (shards) => {
  test("of 40 concurrent requests, as many get one as the limit allows, and the others get the number that is taken", async () => {
    const { takeAll, taken } = aCounter({ limit: 11, shards });
    const { slots, reported } = await takeAll(40);
    expect(slots).toHaveLength(11);
    expect(Math.max(...reported)).toBe(11);
    expect(await taken()).toBe(11);
  });

  test("a released one can be taken again", async () => {
    const { takeAll, release, take, taken } = aCounter({ limit: 5, shards });
    const { slots } = await takeAll(5);
    expect(await take()).toEqual({ taken: 5 });
    for (const slot of slots.slice(0, 2)) await release(slot);
    expect((await takeAll(5)).slots).toHaveLength(2);
    expect(await taken()).toBe(5);
  });

  test("those of killed functions count for a day, and up to six hours more", async () => {
    const { takeAll, take, taken } = aCounter({ limit: 5, shards });
    await takeAll(5);
    expect(await take(now + MAX_HOLD_MS - 1)).toEqual({ taken: 5 });
    expect((await takeAll(9, now + MAX_HOLD_MS + 6 * HOUR_MS)).slots).toHaveLength(5);
    expect(await taken()).toBe(5);
  });
});

test("slots: one that does not count any more is not released", async () => {
  const { take, release, counter, taken } = aCounter({ limit: 1 });
  const old = await take();
  await take(now + MAX_HOLD_MS + 6 * HOUR_MS);
  if (!("slot" in old)) throw new Error("There was no slot.");
  await expect(release(old.slot)).rejects.toThrow("ConditionalCheckFailed");
  await giveSlotBack(counter, old.slot);
  expect(await taken()).toBe(1);
});

test("slots: the item stays as small after many days of slots, some of which were lost", async () => {
  const { take, release, itemOf, taken } = aCounter({ limit: 100 });
  const days = IS_SLOW_RUN ? 60 : 12;
  for (let hour = 0; hour < days * 24; hour += 3) {
    const answer = await take(now + hour * HOUR_MS);
    if ("slot" in answer && hour % 7 > 0) await release(answer.slot);
  }
  const item = await itemOf(0);
  expect(itemBytes(item)).toBeLessThan(200);
  expect(await taken()).toBeLessThanOrEqual((MAX_HOLD_MS / HOUR_MS + 30) / 3);
});

test("slots: a write that the SDK repeats, because its response was lost, counts once", async () => {
  const { counter, itemOf } = aCounter();
  const ClientRequestToken = "0123456789";
  const Update = {
    TableName: counter.table,
    Key: counter.keyOf(0),
    UpdateExpression: "ADD taken :one",
    ExpressionAttributeValues: { ":one": 1 },
  };
  for (let attempt = 0; attempt < 2; attempt++) {
    await dynamodb().send(new TransactWriteCommand({ TransactItems: [{ Update }], ClientRequestToken }));
  }
  expect(await itemOf(0)).toMatchObject({ taken: 1 });
});

test("slots: there is none where the limit is zero", async () => {
  expect(await aCounter({ limit: 0 }).take()).toEqual({ taken: 0 });
});
