// Reservations for several holders at once, on a real table behind a proxy that counts writes and loses their responses.
import { randomBytes } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_OUTPUTS } from "../../../lib/contract/options/output-limits.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { countTaken, type Reservable, releaseOne, reserve } from "../../../lib/service/aws/reservations.ts";
import { type LosingEngine, startLosingEngine } from "../../support/losing-engine.ts";
import { makeTable } from "../../support/tables.ts";

const table = "Usage";
const NOON = Date.UTC(2026, 0, 31, 12);
const HOLD_MS = 60_000;

let engine: LosingEngine;
beforeAll(async () => {
  engine = await startLosingEngine();
  await makeTable(table);
});
afterAll(() => engine.close());

let counters = 0;
function aCounter(parts: Partial<Reservable> = {}) {
  const supply: Reservable = {
    table,
    key: { pk: `COUNTER#${counters++}`, sk: "TEST" },
    name: "captures",
    limit: 10,
    ...parts,
  };
  const read = async () => {
    const command = new GetCommand({ TableName: table, Key: { ...supply.key }, ConsistentRead: true });
    return (await dynamodb().send(command)).Item ?? {};
  };
  return {
    supply,
    reserve: (holders: readonly string[], now = NOON) => reserve(supply, holders, { now, until: now + HOLD_MS }),
    taken: (now = NOON) => countTaken(supply, now),
    read,
    /** The reservations in the item, whether they have expired or not. */
    reservations: async () => Object.keys(await read()).filter((name) => name.startsWith("r_")),
  };
}

const holders = (count: number) => Array.from({ length: count }, () => randomBytes(16).toString("hex"));

/** Counts the writes that arrive at the engine, the responses of the first `lost` of which are lost. */
async function writesOf<T>(action: () => Promise<T>, lost = 0) {
  engine.lose("closed", "UpdateItem", lost);
  const result = await action();
  return { result, writes: engine.calls("UpdateItem") };
}

describe("reservations for several holders", () => {
  test.each([1, 2, 5, MAX_OUTPUTS])("are one write: %i", async (count) => {
    const bound = { attribute: "failed_ms_20260131", maximum: 1_000 };
    const counter = aCounter({ limit: 2 * count, bound, expiry: 1_900_000_000 });
    for (const taken of [count, 2 * count]) {
      const { result, writes } = await writesOf(() => counter.reserve(holders(count)));
      expect([result, writes]).toEqual([{ taken, isReserved: true }, 1]);
    }
    expect(await counter.reservations()).toHaveLength(2 * count);
    expect(await counter.read()).toMatchObject({ taken_captures: 2 * count, ttl: 1_900_000_000 });
  });

  test("are made for all of them, or for none", async () => {
    const counter = aCounter({ limit: 10 });
    await counter.reserve(holders(6));
    const { result, writes } = await writesOf(() => counter.reserve(holders(5)));
    expect([result, writes]).toEqual([{ taken: 6, isReserved: false, inProgress: 6 }, 1]);
    expect(await counter.reservations()).toHaveLength(6);
    expect(await counter.reserve(holders(4))).toEqual({ taken: 10, isReserved: true });
    expect(await counter.reserve(holders(1))).toEqual({ taken: 10, isReserved: false, inProgress: 10 });
  });

  test.each([
    [0, 1],
    [0, 5],
    [4, 5],
  ])("are refused without a write by a limit of %i: %i", async (limit, count) => {
    const counter = aCounter({ limit });
    const { result, writes } = await writesOf(() => counter.reserve(holders(count)));
    expect([result, writes]).toEqual([{ taken: 0, isReserved: false }, 0]);
    expect(await counter.read()).toEqual({});
  });

  test("are refused at the bound", async () => {
    const key = { pk: "BOUND", sk: "TEST" };
    await aCounter({ key, name: "other" }).reserve(holders(2));
    const counter = aCounter({ key, bound: { attribute: "taken_other", maximum: 2 } });
    expect(await counter.reserve(holders(5))).toEqual({ taken: 0, isReserved: false, isAtBound: true });
  });

  test("never exceed the limit when requests race for the last places, and each has all or none", async () => {
    const counter = aCounter({ limit: 20 });
    const requests = Array.from({ length: 15 }, () => holders(3));
    const outcomes = await Promise.all(requests.map((each) => counter.reserve(each)));
    const granted = requests.filter((_, index) => outcomes[index]?.isReserved);
    expect(granted).toHaveLength(6);
    expect((await counter.reservations()).sort()).toEqual(
      granted
        .flat()
        .map((holder) => `r_${holder}`)
        .sort(),
    );
    expect(await counter.taken()).toBe(18);
  });

  test("are released one by one", async () => {
    const counter = aCounter({ limit: 5 });
    const all = holders(5);
    await counter.reserve(all);
    await Promise.all(
      all.slice(0, 3).flatMap((holder) => [holder, holder].map((each) => releaseOne(counter.supply, each))),
    );
    expect(await counter.taken()).toBe(2);
    expect((await counter.reserve(holders(4))).isReserved).toBe(false);
    expect((await counter.reserve(holders(3))).isReserved).toBe(true);
  });

  test("take the places of those that have expired, not a millisecond sooner", async () => {
    const counter = aCounter({ limit: 5 });
    await counter.reserve(holders(4));
    const next = holders(5);
    expect(await counter.reserve(next, NOON + HOLD_MS - 1)).toMatchObject({ taken: 4, isReserved: false });
    const { result, writes } = await writesOf(() => counter.reserve(next, NOON + HOLD_MS));
    expect([result, writes]).toEqual([{ taken: 5, isReserved: true }, 3]); // refused, removal, reserved
    expect(await counter.reservations()).toHaveLength(5);
  });

  test("of requests that race for expired places never exceed the limit", async () => {
    const counter = aCounter({ limit: 60 });
    for (let count = 0; count < 12; count++) await counter.reserve(holders(5));
    const now = NOON + HOLD_MS;
    const outcomes = await Promise.all(Array.from({ length: 14 }, () => counter.reserve(holders(5), now)));
    expect(outcomes.filter(({ isReserved }) => isReserved)).toHaveLength(12);
    expect(await counter.taken(now)).toBe(60);
    expect(await counter.reservations()).toHaveLength(60);
  });

  test.each([1, 5])("whose write is retried, because its response was lost, count once: %i", async (count) => {
    const counter = aCounter({ limit: count });
    const { result, writes } = await writesOf(() => counter.reserve(holders(count)), 1);
    expect([result, writes]).toEqual([{ taken: count, isReserved: true }, 2]);
    expect(await counter.read()).toMatchObject({ taken_captures: count });
  });

  test("of which one exists already are refused, and change nothing", async () => {
    const counter = aCounter();
    const [first = "", ...others] = holders(3);
    await counter.reserve([first]);
    expect(await counter.reserve([first, ...others])).toMatchObject({ taken: 1, isReserved: false });
    expect(await counter.reservations()).toEqual([`r_${first}`]);
  });
});
