// Queues events for the operator: after their transaction, and those whose message was lost.
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { enqueueDelivery, type OperatorEventRequest } from "../webhooks/webhook-queue.ts";
import { findOperatorEvents, listPending } from "./event-store.ts";
import { eventTime, type OperatorEvent } from "./operator-event.ts";

/**
 * Queues an event that is stored, so that it is delivered and mailed. Never rejects: an event that can't be queued is queued by
 * `queuePendingEvents`. The function needs the variable `WEBHOOK_QUEUE_URL`.
 */
export async function queueOperatorEvent({ id, account_id }: Pick<OperatorEvent, "id" | "account_id">): Promise<void> {
  try {
    const queueUrl = optionalVariable("WEBHOOK_QUEUE_URL");
    if (queueUrl === undefined) throw new Error("The variable WEBHOOK_QUEUE_URL is missing.");
    await enqueueDelivery(queueUrl, eventRequest({ id, account_id }));
  } catch (error) {
    logError("event for the operator not queued", error, { account_id, operator_event: id });
  }
}

/** Queues an event to be sent again, regardless of its state, because the operator asked for it at `now` (milliseconds since 1970). */
export function queueEventAgain(
  queueUrl: string,
  { id, account_id }: Pick<OperatorEvent, "id" | "account_id">,
  now: number,
): Promise<void> {
  return enqueueDelivery(queueUrl, { ...eventRequest({ id, account_id }), again: now });
}

const eventRequest = (ids: Pick<OperatorEventRequest, "id" | "account_id">): OperatorEventRequest => ({
  kind: "operator_event",
  ...ids,
});

/** How long a message may take: a delay of SQS takes as long where no schedule can be created. In milliseconds. */
const LOST_AFTER_MS = 30 * 60_000;

/**
 * Queues the pending events for which no message can be left at `now` (milliseconds since 1970): they were due half an hour ago, and no
 * worker delivers them. Resolves to how many it has queued.
 */
export async function queuePendingEvents(
  { ACTIVITY_TABLE, WEBHOOK_QUEUE_URL }: Pick<Environment, "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL">,
  now: number,
): Promise<number> {
  const pending = await listPending(ACTIVITY_TABLE);
  const events = await findOperatorEvents(
    ACTIVITY_TABLE,
    pending.map(({ id }) => id),
  );
  const lost = events.filter(({ id, webhook }) => Math.max(eventTime(id), webhook.next_at) + LOST_AFTER_MS <= now);
  for (const { id, account_id } of lost) await enqueueDelivery(WEBHOOK_QUEUE_URL, eventRequest({ id, account_id }));
  return lost.length;
}
