// Delivers the webhook of a job to its receiver when it is due.
import { randomUUID } from "node:crypto";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { isAccountSuspended } from "../account/suspension.ts";
import { describeJob } from "../jobs/describe-job.ts";
import type { JobIds } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { logError, logInfo } from "../platform/log.ts";
import { withLogContext } from "../platform/log-context.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { recordDelivery } from "../receivers/delivery-record.ts";
import { pauseIfFailing } from "../receivers/pause-failing.ts";
import { hasReplayEnded, type Receiver } from "../receivers/receiver.ts";
import { countReplayOutcome, findReceiver } from "../receivers/receiver-store.ts";
import { MAX_REPLAY_FAILURES } from "../receivers/replay-limits.ts";
import { storeEndedEvent, storeEvent } from "../receivers/store-event.ts";
import { putStoredEvent } from "../receivers/stored-events.ts";
import { type DeliverableJob, deliverableJob } from "./deliverable-job.ts";
import { acquireDeliverySlot } from "./delivery-slots.ts";
import { slotBackoffMs } from "./slot-backoff.ts";
import {
  DELIVERY_ATTEMPT_TIMEOUT_MS,
  type Delivery,
  finishDeliveryAttempt,
  hasUsedAllDeliveryAttempts,
  nextStep,
  startDeliveryAttempt,
  undeliverableWebhook,
  type Webhook,
} from "./webhook.ts";
import { hasTimedOut, sendWebhook } from "./webhook-client.ts";
import type { DeliveryRequest } from "./webhook-queue.ts";
import { type WebhookRequest, webhookRequest } from "./webhook-request.ts";
import { replaceWebhook } from "./webhook-store.ts";
import { findTarget, readTargetSecrets, type WebhookTarget } from "./webhook-target.ts";

export interface DeliveryResources {
  readonly env: Pick<
    Environment,
    "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL" | "WEBHOOK_QUEUE_URL"
  >;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
  /** Milliseconds within which the receiver must respond. @default 10,000 */
  readonly timeoutMs?: number;
}

/**
 * Delivers a webhook that is due and that no other worker is delivering. Resolves to when its message is to be sent
 * again, in milliseconds since 1970, or to undefined when nothing is left to do.
 */
export function deliverWebhook(request: DeliveryRequest, delivering: DeliveryResources): Promise<number | undefined> {
  const { account_id, job_id } = request;
  return withLogContext({ account_id, job_id }, () => deliver(request, delivering));
}

async function deliver(request: DeliveryRequest, delivering: DeliveryResources): Promise<number | undefined> {
  const { ACTIVITY_TABLE, USAGE_TABLE } = delivering.env;
  for (;;) {
    const now = Date.now();
    const job = deliverableJob(
      await findJob(ACTIVITY_TABLE, { account_id: request.account_id, id: request.job_id }, now),
    );
    if (!job) return undefined;
    const next = nextStep(job.webhook, request.round, now);
    if (next.step === "end") return undefined;
    if (next.step === "wait") return next.until;
    // Its webhook stays pending. When the account is resumed, all of its pending ones are queued.
    if (await isAccountSuspended(delivering.env.ACCOUNTS_TABLE, job.account_id)) return undefined;
    const target = await findTarget(job, delivering.env);
    if (!target) {
      await replaceWebhook(ACTIVITY_TABLE, job, undeliverableWebhook(job.webhook, receiverDeleted(now)));
      continue;
    }
    const { url, receiver } = target;
    if (receiver?.status === "paused") {
      if (await storeEvent(job, receiver, delivering.env)) return undefined;
      continue;
    }
    const { replayed_at: replay } = job.webhook;
    if (receiver && replay !== undefined && hasReplayEnded(receiver, replay)) {
      await replaceWebhook(ACTIVITY_TABLE, job, undeliverableWebhook(job.webhook, replayEnded(now)));
      continue;
    }
    const holder = randomUUID().replaceAll("-", "");
    const slot = await acquireDeliverySlot(
      USAGE_TABLE,
      { accountId: job.account_id, url, holder, failingMs: failingMs(receiver, now) },
      { now, until: now + DELIVERY_ATTEMPT_TIMEOUT_MS },
    );
    if (!slot)
      return now + slotBackoffMs({ waits: request.waits ?? 0, failingMs: failingMs(receiver, now) }, Math.random());
    const webhook = startDeliveryAttempt(job.webhook, { holder, now });
    let isHung: boolean | undefined;
    try {
      if (!(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) continue; // another worker was faster
      const deliveryAttempt = await deliverOnce({ ...job, webhook }, target, delivering);
      isHung = hasTimedOut(deliveryAttempt.delivery, delivering.timeoutMs);
      const { status, next_at } = await storeDeliveryAttempt({ ...job, webhook }, deliveryAttempt, delivering);
      return status === "pending" ? next_at : undefined;
    } finally {
      await cleanUp(() => slot.release(isHung), "webhook slot not released"); // it expires
    }
  }
}

/** For how many milliseconds a receiver has failed without a success. */
function failingMs(receiver: Receiver | undefined, now: number): number {
  return receiver?.failing_since === undefined ? 0 : Math.max(0, now - Date.parse(receiver.failing_since));
}

/** What is stored of a webhook whose receiver was deleted. */
function receiverDeleted(now: number): Delivery {
  return notSent("The webhook receiver was deleted before the webhook was sent.", now);
}

/** What is stored of a webhook whose replay has ended before its next attempt. */
function replayEnded(now: number): Delivery {
  return notSent(`The replay has ended, because ${MAX_REPLAY_FAILURES} deliveries in a row failed.`, now);
}

function notSent(error: string, now: number): Delivery {
  return { at: new Date(now).toISOString(), http_status_code: null, error, duration_ms: 0 };
}

interface DeliveryAttempt {
  readonly delivery: Delivery;
  /** The receiver after it; undefined when there is none. */
  readonly receiver: Receiver | undefined;
}

async function deliverOnce(
  job: DeliverableJob,
  { url, receiver }: WebhookTarget,
  { env, allowed, timeoutMs }: DeliveryResources,
): Promise<DeliveryAttempt> {
  const now = Date.now();
  const [state, secrets] = await Promise.all([describeJob(job, env, { now }), readTargetSecrets(job, env, now)]);
  const way = { allowed, ...(timeoutMs !== undefined && { timeoutMs }) };
  const request = webhookRequest(job, { state, secrets, now });
  const delivery = await sendWebhook(url, request, way);
  const { http_status_code, duration_ms } = delivery;
  logInfo("webhook", { http_status_code, duration_ms });
  emitMetrics({ WebhookDeliveries: 1, WebhookFailures: delivery.error === null ? 0 : 1 });
  const to = { account_id: job.account_id, url, receiver };
  const current = await recordDelivery(to, toRecord(job, request, delivery), env);
  await recordReplay(job, current, delivery, env);
  if (current && delivery.error !== null) await pauseIfFailing(current, now, env);
  return { delivery, receiver: current };
}

/** Never rejects: what was delivered is not sent again because its record is missing. */
async function recordReplay(
  { webhook: { replayed_at: replay } }: DeliverableJob,
  receiver: Receiver | undefined,
  { error }: Delivery,
  { ACCOUNTS_TABLE }: DeliveryResources["env"],
): Promise<void> {
  if (!receiver || replay === undefined) return;
  const outcome = error === null ? "success" : "failure";
  await countReplayOutcome(ACCOUNTS_TABLE, receiver, { replay, outcome }).catch((failure) =>
    logError("delivery of a replay not counted", failure),
  );
}

function toRecord(job: DeliverableJob, request: WebhookRequest, delivery: Delivery) {
  return {
    ...delivery,
    type: request.type,
    event_id: request.id,
    request_id: job.id,
    attempt: job.webhook.failures + 1,
  };
}

/**
 * Stores the outcome of an attempt, merged with what was stored meanwhile. Resolves to the webhook as it is then.
 *
 * The last attempt of an event whose receiver is failing is listed before it is stored, and the receiver is read after that: a pause
 * either finds the event in the list, or is found here.
 */
async function storeDeliveryAttempt(
  job: DeliverableJob,
  { delivery, receiver }: DeliveryAttempt,
  { env }: DeliveryResources,
): Promise<Webhook> {
  const { round } = job.webhook;
  const facts = { round, now: Date.now(), random: Math.random() };
  let stored: JobIds & { readonly webhook: Webhook } = job;
  for (;;) {
    const webhook = finishDeliveryAttempt(stored.webhook, delivery, facts);
    const failing_since = hasUsedAllDeliveryAttempts(webhook) ? receiver?.failing_since : undefined;
    const { id, finished_at } = job;
    const event =
      receiver && failing_since !== undefined
        ? await putStoredEvent(env.ACTIVITY_TABLE, receiver, { id, finished_at, failing_since }, facts.now)
        : undefined;
    if (await replaceWebhook(env.ACTIVITY_TABLE, stored, webhook)) {
      const current = event && receiver && (await findReceiver(env.ACCOUNTS_TABLE, receiver));
      if (event && current?.status === "paused") await storeEndedEvent(current, event, env);
      return webhook;
    }
    const now = await findJob(env.ACTIVITY_TABLE, job, Date.now());
    if (!now?.webhook) return webhook; // expired meanwhile
    stored = { ...now, webhook: now.webhook };
  }
}
