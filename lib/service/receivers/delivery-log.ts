// The log of deliveries to saved receivers: an item for each attempt, in a partition of the account, by receiver and time. It is
// kept for 30 days.
import * as v from "valibot";
import { putItem, queryFirst } from "../aws/items.ts";
import { findNewestFirst, READ_AT_ONCE } from "../aws/newest-first.ts";
import { deliveryKey } from "../aws/table-keys.ts";
import { createId } from "../platform/ids.ts";
import { DeliverySchema } from "../webhooks/webhook.ts";
import { eventTypes } from "../webhooks/webhook-request.ts";
import type { ReceiverIds } from "./receiver.ts";

/** How many days a delivery is listed. */
export const DELIVERY_RETENTION_DAYS = 30;
const RETENTION_MS = DELIVERY_RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** A delivery as it is stored. */
export const LoggedDeliverySchema = v.object({
  ...DeliverySchema.entries,
  /** Increases with the time. */
  id: v.number(),
  receiver_id: v.string(),
  type: v.picklist(eventTypes),
  /** The `webhook-id` of the event. */
  event_id: v.string(),
  /** The capture; null for a test. */
  request_id: v.nullable(v.number()),
  /** 1 for the first attempt. */
  attempt: v.number(),
});
export type LoggedDelivery = v.InferOutput<typeof LoggedDeliverySchema>;

/** Logs a delivery. */
export async function logDelivery(
  table: string,
  { account_id, id: receiver_id }: ReceiverIds,
  delivery: Omit<LoggedDelivery, "id" | "receiver_id">,
): Promise<void> {
  const at = Date.parse(delivery.at);
  const ttl = Math.ceil((at + RETENTION_MS) / 1000);
  for (;;) {
    const id = createId(at, Math.random());
    const item = { ...deliveryKey(account_id, receiver_id, id), ...delivery, id, receiver_id, ttl };
    if ((await putItem(table, item, "attribute_not_exists(pk)")).isChanged) return; // or two deliveries of a millisecond drew the same id
  }
}

export interface DeliveryFilter {
  readonly status: "delivered" | "failed" | undefined;
  /** Only deliveries with a lower id, which are older. */
  readonly before: number | undefined;
  /** Maximum of deliveries. */
  readonly limit: number;
}

export interface DeliveryList {
  readonly deliveries: readonly LoggedDelivery[];
  /** The id before which the list goes on; undefined at its end. */
  readonly next: number | undefined;
}

/** Lists the deliveries to a receiver at `now` (milliseconds since 1970), newest first. With a status, a list can be shorter and still go on. */
export async function listDeliveries(
  table: string,
  receiver: ReceiverIds,
  { status, before, limit }: DeliveryFilter,
  now: number,
): Promise<DeliveryList> {
  const from = createId(now - RETENTION_MS, 0);
  const { found, next } = await findNewestFirst({
    before,
    limit,
    readBefore: (id) => queryBetween(table, receiver, { from, to: id - 1, limit: READ_AT_ONCE, isNewestFirst: true }),
    matches: ({ error }) => status === undefined || (error === null) === (status === "delivered"),
  });
  return { deliveries: found, next };
}

/** A part of the log of a receiver: ids from `from` to `to`, both included. */
export interface DeliveryRange {
  readonly from: number;
  readonly to: number;
}

/** The range of deliveries that started from `since` until before `until`, in milliseconds since 1970. */
export function logRange(since: number, until: number): DeliveryRange {
  return { from: createId(since, 0), to: createId(until, 0) - 1 };
}

/** The earliest deliveries of a range, at most `limit`, oldest first. */
export function earliestDeliveries(
  table: string,
  receiver: ReceiverIds,
  range: DeliveryRange,
  limit: number,
): Promise<LoggedDelivery[]> {
  return queryBetween(table, receiver, { ...range, limit, isNewestFirst: false });
}

async function queryBetween(
  table: string,
  { account_id, id }: ReceiverIds,
  { from, to, limit, isNewestFirst }: DeliveryRange & { readonly limit: number; readonly isNewestFirst: boolean },
): Promise<LoggedDelivery[]> {
  const { pk, sk: first } = deliveryKey(account_id, id, Math.max(0, from));
  const { sk: last } = deliveryKey(account_id, id, Math.max(0, to));
  if (first > last) return []; // DynamoDB refuses such a condition
  const range = { partition: pk, range: { first, last } };
  return (await queryFirst(table, range, { limit, isNewestFirst })).map((item) => v.parse(LoggedDeliverySchema, item));
}
