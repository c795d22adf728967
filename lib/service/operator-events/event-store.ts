// Stores events for the operator in the Activity table: a transactional outbox. An event and its entry in the list of pending ones are
// stored in the transaction of the change that the event reports, so neither exists without the other.
import * as v from "valibot";
import { deleteItem, getItem, getItems, putItem, queryItems, updateItem } from "../aws/items.ts";
import type { TableItem } from "../aws/partition-pages.ts";
import { operatorEventKey, operatorEventsPartition, pendingOperatorEventKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { readMonthlyPage } from "../operator/monthly-pages.ts";
import { DAY_MS, utcMonth } from "../usage/day.ts";
import { replaceDeliveryState } from "../webhooks/delivery-state.ts";
import { deliveryStateEntries, NEW_DELIVERY } from "../webhooks/webhook.ts";
import { eventTime, type OperatorEvent, OperatorEventSchema } from "./operator-event.ts";

/**
 * - `pending`: waits for its first or its next attempt
 * - `delivered`: the receiver accepted it
 * - `failed`: all attempts failed, or the receiver responded 410 Gone
 * - `not_configured`: the stage has no address for events
 */
export const eventStatuses = ["pending", "delivered", "failed", "not_configured"] as const;

const EventWebhookSchema = v.object({
  status: v.picklist(eventStatuses),
  ...deliveryStateEntries,
  /** When the operator last asked to send it again, in milliseconds since 1970, so that one message restarts it once. */
  restarted_at: v.exactOptional(v.number()),
});
/** The delivery of an event. */
export type EventWebhook = v.InferOutput<typeof EventWebhookSchema>;

const DeliveryFactsSchema = v.object({
  webhook: EventWebhookSchema,
  /** What became of the mail to the operator; absent before that is decided. */
  mail: v.exactOptional(v.picklist(["queued", "none", "over_limit"])),
});
const StoredEventSchema = v.intersect([OperatorEventSchema, DeliveryFactsSchema]);
/** An event with what became of it. */
export type StoredEvent = OperatorEvent & v.InferOutput<typeof DeliveryFactsSchema>;
export type MailOutcome = NonNullable<StoredEvent["mail"]>;

/** For how long events are kept: they have the name and the e-mail address of a customer. */
export const EVENT_RETENTION_DAYS = 90;

/** The writes that store an event, for the transaction of the change that it reports. Call `queueOperatorEvent` once that is stored. */
export function operatorEventWrites(activityTable: string, event: OperatorEvent): readonly Write[] {
  const stored = { ...event, webhook: NEW_DELIVERY };
  return [{ ...eventKey(event.id), ...stored, ttl: ttlOf(event.id) }, pendingItem(event)].map((Item) => ({
    Put: { TableName: activityTable, Item, ConditionExpression: "attribute_not_exists(pk)" },
  }));
}

type EventIds = Pick<OperatorEvent, "id" | "account_id">;

const eventKey = (id: string) => operatorEventKey(utcMonth(eventTime(id)), id);
const ttlOf = (id: string) => Math.ceil((eventTime(id) + EVENT_RETENTION_DAYS * DAY_MS) / 1000);
const pendingItem = ({ id, account_id }: EventIds) => ({
  ...pendingOperatorEventKey(id),
  id,
  account_id,
  ttl: ttlOf(id),
});

/** The event of this id, or undefined when there is none. */
export async function findOperatorEvent(activityTable: string, id: string): Promise<StoredEvent | undefined> {
  const item = await getItem(activityTable, eventKey(id));
  return item && toStoredEvent(item);
}

/** The events of these ids that exist, in any order. */
export async function findOperatorEvents(activityTable: string, ids: readonly string[]): Promise<StoredEvent[]> {
  return (await getItems(activityTable, ids.map(eventKey))).map(toStoredEvent);
}

function toStoredEvent(item: TableItem): StoredEvent {
  return v.parse(StoredEventSchema, item);
}

/** Replaces the delivery state of an event as it was read. Resolves to false when another worker has changed it since. */
export function replaceEventWebhook(
  activityTable: string,
  { id, webhook: before }: Pick<StoredEvent, "id" | "webhook">,
  after: EventWebhook,
): Promise<boolean> {
  return replaceDeliveryState(activityTable, eventKey(id), { before, after });
}

/** Stores what became of the mail about an event. */
export async function storeMailOutcome(activityTable: string, id: string, outcome: MailOutcome): Promise<void> {
  await updateItem(activityTable, eventKey(id), {
    update: "SET mail = :outcome",
    condition: "attribute_exists(pk)",
    values: { ":outcome": outcome },
  });
}

/** Ends the entry of an event in the list of pending ones. */
export async function endPending(activityTable: string, id: string): Promise<void> {
  await deleteItem(activityTable, pendingOperatorEventKey(id));
}

/** Lists an event as pending again. */
export async function putPending(activityTable: string, event: EventIds): Promise<void> {
  await putItem(activityTable, pendingItem(event));
}

const PendingSchema = v.object({ id: v.string(), account_id: v.number() });

/** The pending events, oldest first. */
export async function listPending(activityTable: string): Promise<EventIds[]> {
  const items = await queryItems(activityTable, operatorEventsPartition("PENDING"));
  return items.map((item) => v.parse(PendingSchema, item));
}

/**
 * Reads a page of the events of the last 90 days, newest first, as of `now` (milliseconds since 1970). `before` is the id of the event that
 * precedes the first one, and `next` that of the last one; undefined at the end of the list.
 */
export async function readOperatorEvents(
  activityTable: string,
  { before, pageSize, now }: { readonly before?: string | undefined; readonly pageSize: number; readonly now: number },
): Promise<{ readonly events: readonly StoredEvent[]; readonly next: string | undefined }> {
  const list = { table: activityTable, partition: operatorEventsPartition, first: now - EVENT_RETENTION_DAYS * DAY_MS };
  const newest = before === undefined ? now : Math.min(now, eventTime(before));
  const { items, hasMore } = await readMonthlyPage(list, { before, pageSize, newest });
  const events = items.map(toStoredEvent).filter(({ id }) => eventTime(id) >= list.first); // DynamoDB deletes them later
  return { events, next: hasMore ? events.at(-1)?.id : undefined };
}
