// Sends many events of a receiver through the queue: those that were kept while it was paused, and those that its owner wants
// again. Every step can be repeated, so that a worker that dies half-way loses nothing.
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { inOrder } from "../platform/in-order.ts";
import { deliverableJob } from "../webhooks/deliverable-job.ts";
import { replayedWebhook, resumedWebhook, type Webhook } from "../webhooks/webhook.ts";
import { enqueueDelivery, enqueueWebhook, type ReceiverRequest } from "../webhooks/webhook-queue.ts";
import { replaceWebhook } from "../webhooks/webhook-store.ts";
import { earliestDeliveries } from "./delivery-log.ts";
import { followPause } from "./pause-failing.ts";
import { hasReplayEnded, type Receiver, type ReceiverIds } from "./receiver.ts";
import { findReceiver } from "./receiver-store.ts";
import { MAX_REPLAYED_DELIVERIES } from "./replay-limits.ts";
import { deleteStoredEvent, hasExpired, listStoredEvents, type StoredEvent } from "./stored-events.ts";

export interface SendingResources {
  readonly env: Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL">;
  /**
   * Kept events that one message queues before others get their turn.
   * @default 500, so that 50 a second are queued, about as many as an account has delivered
   */
  readonly eventsPerMessage?: number;
}

type SendingEnvironment = SendingResources["env"];
type ResumeRequest = Extract<ReceiverRequest, { kind: "resume" }>;
type ReplayRequest = Extract<ReceiverRequest, { kind: "replay" }>;

/**
 * Handles a request about many events of a receiver. Resolves to when it is to be sent again, in milliseconds since 1970, or to undefined
 * when nothing is left for it.
 */
export function sendReceiverEvents(request: ReceiverRequest, resources: SendingResources): Promise<number | undefined> {
  switch (request.kind) {
    case "resume":
      return sendStoredEvents(request, resources);
    case "pause":
      return followPause(request, resources.env);
    case "replay":
      return sendEventsAgain(request, resources.env);
  }
}

const EVENTS_PAUSE_MS = 10_000;

/** How long a resumption is waited for when its message came before the receiver's change was stored. */
const RESUMPTION_MS = 60_000;
const RESUMPTION_RETRY_MS = 5_000;

/** Events of a receiver that was deleted are sent as well, so that their jobs say so. */
async function sendStoredEvents(
  request: ResumeRequest,
  { env, eventsPerMessage = 500 }: SendingResources,
): Promise<number | undefined> {
  const ids = { account_id: request.account_id, id: request.receiver_id };
  const now = Date.now();
  const receiver = await findReceiver(env.ACCOUNTS_TABLE, ids);
  if (receiver?.status === "paused") {
    return now < request.at + RESUMPTION_MS ? now + RESUMPTION_RETRY_MS : undefined;
  }
  if (wasResumedAfter(receiver, request)) return undefined; // the message of that resumption sends them
  const events = await listStoredEvents(env.ACTIVITY_TABLE, ids, eventsPerMessage);
  await inOrder(events, (event) => sendStoredEvent(ids, event, { env, outage: receiver?.outage_since }));
  return events.length < eventsPerMessage ? undefined : Date.now() + EVENTS_PAUSE_MS;
}

function wasResumedAfter(receiver: Receiver | undefined, { at }: ResumeRequest): boolean {
  return receiver?.resumed_at !== undefined && receiver.resumed_at > at;
}

/**
 * An event whose attempts had ended is sent if that was in the outage for which the receiver was paused. The event leaves the list last:
 * if the worker dies before that, the event is queued again, and delivered once all the same.
 */
async function sendStoredEvent(
  receiver: ReceiverIds,
  event: StoredEvent,
  { env, outage }: { readonly env: SendingEnvironment; readonly outage: string | undefined },
): Promise<void> {
  const isEnded = event.failing_since !== undefined;
  if (!hasExpired(event, Date.now()) && (!isEnded || event.failing_since === outage)) {
    const ids = { account_id: receiver.account_id, id: event.job_id };
    const status = isEnded ? "failed" : "paused";
    await restart(ids, env, (webhook) => (webhook.status === status ? resumedWebhook(webhook) : webhook));
  }
  await deleteStoredEvent(env.ACTIVITY_TABLE, receiver, event);
}

/** Deliveries whose events one message queues, so that a replay takes fewer messages than Lambda allows in a loop, 16. */
const REPLAYED_AT_ONCE = MAX_REPLAYED_DELIVERIES / 10;

async function sendEventsAgain(request: ReplayRequest, env: SendingEnvironment): Promise<undefined> {
  const { account_id, receiver_id, at } = request;
  const receiver = { account_id, id: receiver_id };
  const current = await findReceiver(env.ACCOUNTS_TABLE, receiver);
  if (!current || current.unverified_since !== undefined || hasReplayEnded(current, at)) return undefined;
  const deliveries = await earliestDeliveries(env.ACTIVITY_TABLE, receiver, request, REPLAYED_AT_ONCE);
  const jobIds = new Set(deliveries.flatMap(({ request_id }) => request_id ?? []));
  await inOrder([...jobIds], (id) =>
    restart({ account_id, id }, env, (webhook) =>
      webhook.replayed_at === at ? webhook : (replayedWebhook(webhook, at) ?? webhook),
    ),
  );
  const last = deliveries.at(-1);
  if (!last || deliveries.length < REPLAYED_AT_ONCE) return undefined;
  await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { ...request, from: last.id + 1 });
  return undefined;
}

/** Restarts the webhook of a job that has ended by `change`, which returns the same webhook to leave it, and queues it if it is due. */
async function restart(
  ids: { readonly account_id: number; readonly id: number },
  { ACTIVITY_TABLE, WEBHOOK_QUEUE_URL }: SendingEnvironment,
  change: (webhook: Webhook) => Webhook,
): Promise<void> {
  for (;;) {
    const job = deliverableJob(await findJob(ACTIVITY_TABLE, ids, Date.now()));
    if (!job) return;
    const webhook = change(job.webhook);
    if (webhook !== job.webhook && !(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) continue; // an attempt changed it
    if (webhook.status !== "pending") return;
    return enqueueWebhook(WEBHOOK_QUEUE_URL, job, webhook.round);
  }
}
