// The events that are kept while their receiver is paused: an item for each, by receiver and age, which names the job. They are kept
// for seven days.
import { randomUUID } from "node:crypto";
import { DeleteCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { keptEventKey, keptEventsPartition } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import type { ReceiverIds } from "./receiver.ts";

/** How many days an event is kept. */
export const KEPT_EVENT_DAYS = 7;

const KeptEventSchema = v.object({
  job_id: v.number(),
  /** When its job ended. */
  finished_at: v.string(),
  /** Distinguishes an event that was kept, sent, and kept again. */
  token: v.string(),
  /** In seconds since 1970. */
  ttl: v.number(),
});
export type KeptEvent = v.InferOutput<typeof KeptEventSchema>;

/** Keeps the event of a job that has ended, from `now` (milliseconds since 1970) on. */
export async function putKeptEvent(
  table: string,
  { account_id, id }: ReceiverIds,
  job: { readonly id: number; readonly finished_at: string },
  now: number,
): Promise<KeptEvent> {
  const ttl = Math.ceil(now / 1000) + KEPT_EVENT_DAYS * 24 * 60 * 60;
  const event: KeptEvent = { job_id: job.id, finished_at: job.finished_at, token: randomUUID(), ttl };
  const Item = { ...keptEventKey(account_id, id, job.finished_at, job.id), ...event };
  await dynamodb().send(new PutCommand({ TableName: table, Item }));
  return event;
}

/** The events that are kept for a receiver, oldest first, at most `limit`. Expired ones may be among them. */
export async function listKeptEvents(table: string, receiver: ReceiverIds, limit: number): Promise<KeptEvent[]> {
  const { Items = [] } = await dynamodb().send(new QueryCommand({ ...ofReceiver(table, receiver), Limit: limit }));
  return Items.map((item) => v.parse(KeptEventSchema, item));
}

/** Up to how many kept events are counted. */
export const MAX_COUNTED_EVENTS = 1_000;

/** How many events are kept for a receiver, up to `MAX_COUNTED_EVENTS`. */
export async function countKeptEvents(table: string, receiver: ReceiverIds): Promise<number> {
  const query = new QueryCommand({ ...ofReceiver(table, receiver), Select: "COUNT", Limit: MAX_COUNTED_EVENTS });
  const { Count = 0 } = await dynamodb().send(query);
  return Count;
}

/** True for an event that is kept no longer at `now` (milliseconds since 1970), although DynamoDB's TTL may not have deleted it yet. */
export function hasExpired({ ttl }: KeptEvent, now: number): boolean {
  return ttl * 1000 <= now;
}

/** Deletes a kept event, unless it was kept again meanwhile. */
export async function deleteKeptEvent(table: string, { account_id, id }: ReceiverIds, event: KeptEvent): Promise<void> {
  const command = new DeleteCommand({
    TableName: table,
    Key: keptEventKey(account_id, id, event.finished_at, event.job_id),
    ConditionExpression: "#token = :token",
    ExpressionAttributeNames: { "#token": "token" },
    ExpressionAttributeValues: { ":token": event.token },
  });
  await cancellationReason(() => dynamodb().send(command));
}

function ofReceiver(table: string, { account_id, id }: ReceiverIds) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: { ":pk": keptEventsPartition(account_id), ":prefix": `${id}#` },
    ConsistentRead: true,
  };
}
