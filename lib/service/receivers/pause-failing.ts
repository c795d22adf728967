// Pauses a receiver that has failed for a day, and does what follows a pause: the account gets an e-mail, and the events whose attempts
// ended while the receiver was failing are kept.
import type { Environment } from "../platform/environment.ts";
import { inOrder } from "../platform/in-order.ts";
import { logError, logInfo } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { enqueueDelivery, enqueueReceiverChange, type ReceiverRequest } from "../webhooks/webhook-queue.ts";
import { queuePauseNotice } from "./pause-notice.ts";
import { hasFailedForLong, type Receiver } from "./receiver.ts";
import { countPauseMail, findReceiver, pauseAs } from "./receiver-store.ts";
import { storeEndedEvent } from "./store-event.ts";
import { listEndedEvents, placeOf } from "./stored-events.ts";

type PausingResources = Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL">;
type PauseRequest = Extract<ReceiverRequest, { kind: "pause" }>;

/**
 * Pauses a receiver as a failure has left it, if it has failed for a day at `now` (milliseconds since 1970). At most one failure
 * a minute is stored, and only that one pauses. Never rejects: its next failure tries again.
 */
export async function pauseIfFailing(receiver: Receiver, now: number, env: PausingResources): Promise<void> {
  const isStored = receiver.last_failure_at !== undefined && Date.parse(receiver.last_failure_at) >= now;
  if (!isStored || !hasFailedForLong(receiver, now)) return;
  const { account_id, id: receiver_id } = receiver;
  try {
    await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "pause", at: now }, receiver);
    if (!(await pauseAs(env.ACCOUNTS_TABLE, receiver, "automatic", now))) return;
    logInfo("receiver paused", { account_id, receiver_id });
    emitMetrics({ PausedReceivers: 1 }, { receiver_id });
  } catch (error) {
    logError("receiver not paused", error, { account_id, receiver_id });
  }
}

/** Ended events that one message stores. */
const ENDED_AT_ONCE = 200;

/** Handles the message that follows a pause, in parts: each queues the next one. A pause that was ended meanwhile needs nothing more. */
export async function followPause(request: PauseRequest, env: PausingResources): Promise<undefined> {
  const { account_id, receiver_id: id, at, after } = request;
  const receiver = await findReceiver(env.ACCOUNTS_TABLE, { account_id, id });
  if (receiver?.status !== "paused" || receiver.paused_at !== new Date(at).toISOString()) return undefined;
  if (after === undefined && receiver.paused_by === "automatic") await tellAccount(receiver, at, env);
  const events = await listEndedEvents(env.ACTIVITY_TABLE, receiver, { limit: ENDED_AT_ONCE, after });
  await inOrder(events, (event) => storeEndedEvent(receiver, event, env));
  const last = events.at(-1);
  if (!last || events.length < ENDED_AT_ONCE) return undefined;
  await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { ...request, after: placeOf(receiver, last) });
  return undefined;
}

/** E-mails about paused receivers that an account gets a day: it can send webhooks to any number of origins. */
export const MAX_PAUSE_MAILS = 10;

async function tellAccount(receiver: Receiver, now: number, { ACCOUNTS_TABLE }: PausingResources): Promise<void> {
  const mails = await countPauseMail(ACCOUNTS_TABLE, receiver.account_id, now);
  if (mails <= MAX_PAUSE_MAILS) await queuePauseNotice(receiver, { isLast: mails === MAX_PAUSE_MAILS });
}
