// The events that are stored while their receiver is paused, and those whose attempts ended while it was failing: an item for each, by
// receiver and age, which names the job. They are stored for seven days.
import { randomUUID } from "node:crypto";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { deleteItem, putItem } from "../aws/items.ts";
import { storedEventKey, storedEventPrefixes, storedEventsPartition } from "../aws/table-keys.ts";
import type { ReceiverIds } from "./receiver.ts";

/** How many days an event is stored. */
export const STORED_EVENT_DAYS = 7;

const StoredEventSchema = v.object({
  job_id: v.number(),
  /** When its job ended. */
  finished_at: v.string(),
  /** Of an event whose attempts have ended: since when its receiver was failing. It is sent again only if that led to a pause. */
  failing_since: v.exactOptional(v.string()),
  /** Distinguishes an event that was stored, sent, and stored again. */
  token: v.string(),
  /** In seconds since 1970. */
  ttl: v.number(),
});
export type StoredEvent = v.InferOutput<typeof StoredEventSchema>;

/**
 * Stores the event of a job that has ended, from `now` (milliseconds since 1970) on. With `failing_since`, it is an event whose attempts
 * have ended while its receiver was failing.
 */
export async function putStoredEvent(
  table: string,
  receiver: ReceiverIds,
  job: { readonly id: number; readonly finished_at: string; readonly failing_since?: string },
  now: number,
): Promise<StoredEvent> {
  const { id: job_id, finished_at, failing_since } = job;
  const ttl = Math.ceil(now / 1000) + STORED_EVENT_DAYS * 24 * 60 * 60;
  const token = randomUUID();
  const event: StoredEvent = { job_id, finished_at, ...(failing_since !== undefined && { failing_since }), token, ttl };
  await putItem(table, { ...keyOf(receiver, event), ...event });
  return event;
}

/** The events of a receiver that are sent when it is resumed, at most `limit`, each list oldest first. Expired ones may be among them. */
export function listStoredEvents(table: string, receiver: ReceiverIds, limit: number): Promise<StoredEvent[]> {
  return queryEvents(table, receiver, { list: "all", limit });
}

/**
 * The events whose attempts have ended while their receiver was failing, oldest first, at most `limit`, after one of them if it is given
 * as `afterEvent` returns it.
 */
export function listEndedEvents(
  table: string,
  receiver: ReceiverIds,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<StoredEvent[]> {
  return queryEvents(table, receiver, { list: "ended", limit, after });
}

/** The place of an event in its list. */
export function placeOf(receiver: ReceiverIds, event: StoredEvent): string {
  return keyOf(receiver, event).sk;
}

/** Up to how many stored events are counted. */
export const MAX_COUNTED_EVENTS = 1_000;

/** How many events are stored for a receiver, up to `MAX_COUNTED_EVENTS`. */
export async function countStoredEvents(table: string, receiver: ReceiverIds): Promise<number> {
  const query = new QueryCommand({
    ...ofReceiver(table, receiver, "kept"),
    Select: "COUNT",
    Limit: MAX_COUNTED_EVENTS,
  });
  const { Count = 0 } = await dynamodb().send(query);
  return Count;
}

/** True for an event that has expired at `now` (milliseconds since 1970), although DynamoDB's TTL may not have deleted it yet. */
export function hasExpired({ ttl }: StoredEvent, now: number): boolean {
  return ttl * 1000 <= now;
}

/** Deletes a stored event, unless it was stored again meanwhile. */
export async function deleteStoredEvent(table: string, receiver: ReceiverIds, event: StoredEvent): Promise<void> {
  await deleteItem(table, keyOf(receiver, event), "#token = :token", { ":token": event.token });
}

function keyOf({ account_id, id }: ReceiverIds, { job_id, finished_at, failing_since }: StoredEvent) {
  return storedEventKey(account_id, id, failing_since === undefined ? "kept" : "ended", finished_at, job_id);
}

type EventList = keyof ReturnType<typeof storedEventPrefixes>;

interface EventQuery {
  readonly list: EventList;
  readonly limit: number;
  readonly after?: string | undefined;
}

async function queryEvents(table: string, receiver: ReceiverIds, { list, limit, after }: EventQuery) {
  const query = new QueryCommand({
    ...ofReceiver(table, receiver, list),
    Limit: limit,
    ...(after !== undefined && { ExclusiveStartKey: { pk: storedEventsPartition(receiver.account_id), sk: after } }),
  });
  const { Items = [] } = await dynamodb().send(query);
  return Items.map((item) => v.parse(StoredEventSchema, item));
}

function ofReceiver(table: string, { account_id, id }: ReceiverIds, list: EventList) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: { ":pk": storedEventsPartition(account_id), ":prefix": storedEventPrefixes(id)[list] },
    ConsistentRead: true,
  };
}
