// Recording captures on real tables: each once, with its counters and transaction items.
import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import type { CaptureEvent } from "../../../lib/service/usage/capture-log.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { fromLogItem } from "../../../lib/service/usage/capture-log-item.ts";
import { queryDayCounters } from "../../../lib/service/usage/counter-store.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { KEPT_TTL, ttlSeconds } from "../../../lib/service/usage/retention.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { hourItems, logItems, monthItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";
import { randomCaptures } from "./random-captures.ts";

const retentionDays = 400;
const noon = Date.UTC(2026, 0, 31, 12, 7);

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

let accounts = 100;
const anEvent = (parts: Partial<CaptureEvent> = {}): CaptureEvent => {
  const { id: _, created_at: __, ...event } = aCaptureLog(parts);
  return event;
};
const anEventOfNobodyElse = () => anEvent({ user_id: accounts++ });
const record = (
  event: CaptureEvent,
  { preferredId = createId(noon, 0), attempt = randomUUID(), days = retentionDays } = {},
  extraItems?: Parameters<typeof recordCapture>[2],
) =>
  recordCapture({ ...running.tables, retentionDays: days }, { preferredId: preferredId, attempt, event }, extraItems);

/** All items of an account in a table. */
async function itemsOf(table: string, { user_id }: Pick<CaptureEvent, "user_id">): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: table, ConsistentRead: true }));
  return Items.filter(({ pk }) => String(pk).split("#")[1] === String(user_id));
}

const countersOf = (event: Pick<CaptureEvent, "user_id">) => itemsOf(running.tables.usage, event);
const idsOf = async (event: CaptureEvent) =>
  (await itemsOf(running.tables.activity, event)).map((item) => fromLogItem(item).id).toSorted((a, b) => a - b);
const sorted = (items: readonly Record<string, unknown>[]) =>
  items.toSorted((a, b) => (`${a["pk"]} ${a["sk"]}` < `${b["pk"]} ${b["sk"]}` ? -1 : 1));

test("recording: a capture is logged and counted by day and by minute", async () => {
  const event = anEventOfNobodyElse();
  const id = await record(event);
  expect(id).toBe(createId(noon, 0));
  const log = createCaptureLog(id, event);
  expect((await itemsOf(running.tables.activity, event)).map(fromLogItem)).toEqual([log]);
  expect(await countersOf(event)).toMatchObject([
    { pk: `HOURS#${event.user_id}`, sk: "2026-01-31#7#12", api_key_id: 7, s07: 1 },
    { pk: `MONTHS#${event.user_id}`, sk: "2026-01#7", api_key_id: 7, s31: 1, st31: 1_200 },
  ]);
});

test("recording: captures of many days, keys and outcomes create the items that lists and statistics read", async () => {
  const user_id = accounts++;
  const captures = randomCaptures(seededRandom(21), { days: 60, busy: 20 }).map((log) => ({ ...log, user_id }));
  for (const { id, created_at: _, ...event } of captures) await record(event, { preferredId: id });
  const logs = await itemsOf(running.tables.activity, { user_id });
  expect(sorted(logs.map(({ attempt: _, ...item }) => item))).toEqual(sorted(logItems(captures, retentionDays)));
  const counters = [...monthItems(captures, retentionDays), ...hourItems(captures, retentionDays)];
  expect(sorted(await countersOf({ user_id }))).toEqual(sorted(counters));
});

test("recording: a shard has items of its own, which lists and statistics add to those of the others", async () => {
  const event = anEventOfNobodyElse();
  const records = { ...running.tables, retentionDays };
  for (const shard of [0, 1, 1, 12]) {
    await recordCapture(records, { preferredId: createId(noon, 0), attempt: randomUUID(), event, shard });
  }
  const counted = (await countersOf(event)).map(({ sk, s07, s31 }) => [sk, s07 ?? s31]);
  expect(Object.fromEntries(counted)).toEqual({
    "2026-01#7": 1,
    "2026-01#7#1": 2,
    "2026-01#7#12": 1,
    "2026-01-31#7#12": 1,
    "2026-01-31#7#12#1": 2,
    "2026-01-31#7#12#12": 1,
  });
  const view = { ...records, accountId: event.user_id, now: noon };
  expect(await queryDayCounters(view, {})).toMatchObject([{ date: "2026-01-31", success: 4, success_ms: 4_800 }]);
  expect(await queryCaptures(view, { page: 1, per_page: 3 })).toMatchObject({ total: 4, logs: { length: 3 } });
});

test("recording: a month with billing counts is never deleted, one without them is", async () => {
  const [billed, unbilled] = [anEventOfNobodyElse(), anEventOfNobodyElse()];
  const recordBilled = (event: CaptureEvent, billedIncrements: Record<string, number>) =>
    recordCapture(
      { ...running.tables, retentionDays },
      { preferredId: createId(noon, 0), attempt: randomUUID(), event, billedIncrements },
    );
  await record(billed);
  await recordBilled(billed, { ps_a: 1 });
  await record(billed);
  await record(unbilled);
  const monthOf = async (event: CaptureEvent) => (await countersOf(event)).find(({ pk }) => /^MONTHS/.test(String(pk)));
  expect(await monthOf(billed)).toMatchObject({ s31: 3, ps_a: 1, ttl: KEPT_TTL });
  expect(await monthOf(unbilled)).toMatchObject({ s31: 1, ttl: ttlSeconds("2026-01-31", retentionDays) });
});

test("recording: the TTL is no sooner than the end of the retention after the day", async () => {
  const event = anEventOfNobodyElse();
  await record(event, { preferredId: createId(Date.UTC(2026, 1, 3), 0), days: 30 });
  const [{ ttl: ofLog } = {}] = await itemsOf(running.tables.activity, event);
  const [{ ttl: ofHour } = {}, { ttl: ofMonth } = {}] = await countersOf(event);
  const day = (ttl: unknown) => new Date(Number(ttl) * 1000).toISOString();
  expect([ofLog, ofHour, ofMonth].map(day)).toEqual([
    "2026-03-08T00:00:00.000Z",
    "2026-03-08T00:00:00.000Z",
    "2026-04-02T00:00:00.000Z",
  ]);
});

test("recording: a capture recorded twice is counted once", async () => {
  const event = anEventOfNobodyElse();
  const attempt = randomUUID();
  const first = await record(event, { attempt });
  const before = await countersOf(event);
  expect(await record(event, { attempt })).toBe(first);
  expect(await idsOf(event)).toEqual([first]);
  expect(await countersOf(event)).toEqual(before);
});

test("recording: a capture recorded twice concurrently is counted once", async () => {
  const event = anEventOfNobodyElse();
  const attempt = randomUUID();
  const ids = await Promise.all(Array.from({ length: 8 }, () => record(event, { attempt })));
  expect([...new Set(ids)]).toEqual(await idsOf(event));
  expect(await countersOf(event)).toMatchObject([{ s07: 1 }, { s31: 1 }]);
});

test("recording: takes the next free id, and finds its own entry there the second time", async () => {
  const event = anEventOfNobodyElse();
  const preferredId = createId(noon, 0);
  const attempt = randomUUID();
  await record(event, { preferredId });
  await record(event, { preferredId: preferredId + 1 });
  expect(await record(event, { preferredId, attempt })).toBe(preferredId + 2);
  expect(await record(event, { preferredId, attempt })).toBe(preferredId + 2);
  expect(await idsOf(event)).toEqual([preferredId, preferredId + 1, preferredId + 2]);
  expect(await countersOf(event)).toMatchObject([{ s07: 3 }, { s31: 3, st31: 3_600 }]);
});

test("recording: takes the next id in the next day when the last of a day is taken", async () => {
  const event = anEventOfNobodyElse();
  const midnight = createId(Date.UTC(2026, 1, 1), 0);
  await record(event, { preferredId: midnight - 1 });
  expect(await record(event, { preferredId: midnight - 1 })).toBe(midnight);
  expect(await countersOf(event)).toMatchObject([
    { sk: "2026-01-31#7#23", s59: 1 },
    { sk: "2026-02-01#7#00", s00: 1 },
    { sk: "2026-01#7", s31: 1 },
    { sk: "2026-02#7", s01: 1 },
  ]);
});

test("recording: fails when no nearby id is free, and counts nothing then", async () => {
  const event = anEventOfNobodyElse();
  const preferredId = createId(noon, 0);
  for (let taken = 0; taken < 9; taken++) await record(event, { preferredId: preferredId + taken });
  await expect(record(event, { preferredId })).rejects.toThrow();
  expect(await countersOf(event)).toMatchObject([{ s07: 9 }, { s31: 9 }]);
});

const companionKey = ({ user_id }: CaptureEvent, sk: string) => ({ pk: `PERIODS#${user_id}`, sk });
const adding = (Key: Record<string, string>, ConditionExpression?: string) => ({
  Update: {
    TableName: running.tables.usage,
    Key,
    UpdateExpression: "ADD screenshots :one",
    ExpressionAttributeValues: { ":one": 1 },
    ConditionExpression,
  },
});
const companionsOf = async (event: CaptureEvent) =>
  (await countersOf(event)).filter(({ pk }) => String(pk).startsWith("PERIODS#"));

test("recording: writes its transaction item, once however often it is recorded", async () => {
  const event = anEventOfNobodyElse();
  const attempt = randomUUID();
  const key = companionKey(event, "a");
  const companion = { write: adding(key), otherwise: adding(companionKey(event, "b")) };
  await record(event, { attempt }, [companion]);
  await record(event, { attempt }, [companion]);
  expect(await companionsOf(event)).toEqual([{ ...key, screenshots: 1 }]);
});

test("recording: writes the replacement of an item whose condition fails", async () => {
  const event = anEventOfNobodyElse();
  const attempt = randomUUID();
  const instead = companionKey(event, "b");
  const companion = {
    write: adding(companionKey(event, "a"), "attribute_exists(pk)"),
    otherwise: adding(instead),
  };
  const id = await record(event, { attempt }, [companion]);
  expect(await record(event, { attempt }, [companion])).toBe(id);
  expect(await companionsOf(event)).toEqual([{ ...instead, screenshots: 1 }]);
  expect(await idsOf(event)).toEqual([id]);
});

test("recording: omits an item whose condition fails and that has no replacement", async () => {
  const event = anEventOfNobodyElse();
  const id = await record(event, {}, [{ write: adding(companionKey(event, "a"), "attribute_exists(pk)") }]);
  expect(await companionsOf(event)).toEqual([]);
  expect(await idsOf(event)).toEqual([id]);
});

test("recording: fails when the replacement cannot be written either, and stores nothing", async () => {
  const event = anEventOfNobodyElse();
  const refused = adding(companionKey(event, "a"), "attribute_exists(pk)");
  await expect(record(event, {}, [{ write: refused, otherwise: refused }])).rejects.toThrow();
  expect([await idsOf(event), await countersOf(event)]).toEqual([[], []]);
});

test("recording: is counted once with another id and a replaced item", async () => {
  const event = anEventOfNobodyElse();
  const preferredId = createId(noon, 0);
  await record(event, { preferredId });
  const instead = companionKey(event, "b");
  const companion = {
    write: adding(companionKey(event, "a"), "attribute_exists(pk)"),
    otherwise: adding(instead),
  };
  expect(await record(event, { preferredId }, [companion])).toBe(preferredId + 1);
  expect(await companionsOf(event)).toEqual([{ ...instead, screenshots: 1 }]);
});

test("recording: a hundred concurrent captures of one account are all counted", async () => {
  const event = anEventOfNobodyElse();
  const ids = Array.from({ length: 100 }, (_, index) => createId(noon + index, 0));
  await Promise.all(
    ids.map((preferredId, index) =>
      record({ ...event, status: index % 4 === 0 ? "failed" : "success" }, { preferredId }),
    ),
  );
  expect(await idsOf(event)).toEqual(ids);
  expect(await countersOf(event)).toMatchObject([
    { s07: 75, f07: 25 },
    { s31: 75, f31: 25, st31: 90_000, ft31: 30_000 },
  ]);
});

test("recording: concurrent captures with the same preferred id get one each, and all are counted", async () => {
  const event = anEventOfNobodyElse();
  const preferredId = createId(noon, 0);
  const ids = await Promise.all(Array.from({ length: 8 }, () => record(event, { preferredId })));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => preferredId + index));
  expect(await countersOf(event)).toMatchObject([{ s07: 8 }, { s31: 8 }]);
});
