// A webhook, delivered to its receiver when it is due.
import { randomUUID } from "node:crypto";
import { signingSecrets } from "../accounts/account.ts";
import { readKey } from "../accounts/account-store.ts";
import { describeJob } from "../api/jobs/describe-job.ts";
import type { AllowedOrigins } from "../egress/egress-policy.ts";
import { hasEnded, type Job, type JobIds } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { acquireDeliverySlot } from "../webhooks/delivery-slots.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  type Delivery,
  finishAttempt,
  nextStep,
  startAttempt,
  type Webhook,
} from "../webhooks/webhook.ts";
import { hasTimedOut, sendWebhook } from "../webhooks/webhook-client.ts";
import type { DeliveryRequest } from "../webhooks/webhook-queue.ts";
import { type EndedJob, webhookRequest } from "../webhooks/webhook-request.ts";
import { replaceWebhook } from "../webhooks/webhook-store.ts";

export interface DeliveryResources {
  readonly places: Pick<
    Environment,
    "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL"
  >;
  /** Where webhooks may go although it is not the public internet. */
  readonly allowed: AllowedOrigins;
  /** How often the order has been handed out, this time included: each time it waits longer for a slot. */
  readonly receives: number;
  /** Milliseconds that a receiver has. @default 10,000 */
  readonly timeoutMs?: number;
}

/**
 * Delivers the webhook of an order if it is due and nobody else is at it. Resolves to when the order is to be looked at
 * again, in milliseconds since 1970, or to undefined when nothing is left to do.
 */
export async function deliverWebhook(
  order: DeliveryRequest,
  delivering: DeliveryResources,
): Promise<number | undefined> {
  const { ACTIVITY_TABLE, USAGE_TABLE } = delivering.places;
  for (;;) {
    const now = Date.now();
    const job = endedJob(await findJob(ACTIVITY_TABLE, { account_id: order.account_id, id: order.job_id }, now));
    if (!job) return undefined;
    const next = nextStep(job.webhook, order.round, now);
    if (next.step === "end") return undefined;
    if (next.step === "wait") return next.until;
    const holder = randomUUID().replaceAll("-", "");
    const slot = await acquireDeliverySlot(
      USAGE_TABLE,
      { accountId: job.account_id, url: job.webhook.url, holder },
      { now, until: now + ATTEMPT_TIMEOUT_MS },
    );
    if (!slot) return now + slotWaitMs(delivering.receives, Math.random());
    const webhook = startAttempt(job.webhook, { holder, now });
    let isHung: boolean | undefined;
    try {
      if (!(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) continue; // somebody else was sooner
      const delivery = await deliverOnce({ ...job, webhook }, delivering);
      isHung = hasTimedOut(delivery, delivering.timeoutMs);
      const { status, next_at } = await note({ ...job, webhook }, delivery, delivering);
      return status === "pending" ? next_at : undefined;
    } finally {
      await slot.release(isHung);
    }
  }
}

const MAX_SLOT_WAIT_MS = 5 * 60_000;

/**
 * How long an order that found no slot waits, in milliseconds: twice as long each time, so that the orders of an account
 * with many that hang neither keep the functions busy nor end as dead letters. `random` is a number from 0 up to 1.
 */
function slotWaitMs(receives: number, random: number): number {
  return Math.min(MAX_SLOT_WAIT_MS, 1_000 * 2 ** Math.min(receives - 1, 10)) * (0.5 + random / 2);
}

type TellableJob = Job & EndedJob & { readonly webhook: Webhook };

/** The job, if it has an outcome and a webhook. */
function endedJob(job: Job | undefined): TellableJob | undefined {
  return job && hasEnded(job) && job.webhook && job.finished_at !== null ? (job as TellableJob) : undefined;
}

async function deliverOnce(job: TellableJob, { places, allowed, timeoutMs }: DeliveryResources): Promise<Delivery> {
  const now = Date.now();
  const [state, secrets] = await Promise.all([describeJob(job, places, now), secretsOf(job, places, now)]);
  const way = { allowed, ...(timeoutMs !== undefined && { timeoutMs }) };
  const delivery = await sendWebhook(job.webhook.url, webhookRequest(job, { state, secrets, now }), way);
  const { http_status_code, duration_ms } = delivery;
  logInfo("webhook", { account_id: job.account_id, job_id: job.id, http_status_code, duration_ms });
  return delivery;
}

/** A key that was revoked goes on signing for the captures that were asked for with it. */
async function secretsOf(
  { account_id, api_key_id, webhook }: TellableJob,
  { ACCOUNTS_TABLE }: DeliveryResources["places"],
  now: number,
): Promise<string[]> {
  if (!webhook.is_signed) return [];
  const key = await readKey(ACCOUNTS_TABLE, { account_id, id: api_key_id });
  if (!key) throw new Error(`The key ${api_key_id} of account ${account_id} has gone.`);
  return signingSecrets(key, now);
}

/** Stores what came of a try, beside all that was stored meanwhile. Resolves to the webhook as it is then. */
async function note(job: TellableJob, delivery: Delivery, { places }: DeliveryResources): Promise<Webhook> {
  const { round } = job.webhook;
  const facts = { round, now: Date.now(), random: Math.random() };
  let owner: JobIds & { readonly webhook: Webhook } = job;
  for (;;) {
    const webhook = finishAttempt(owner.webhook, delivery, facts);
    if (await replaceWebhook(places.ACTIVITY_TABLE, owner, webhook)) return webhook;
    const now = await findJob(places.ACTIVITY_TABLE, job, Date.now());
    if (!now?.webhook) return webhook; // swept meanwhile
    owner = { ...now, webhook: now.webhook };
  }
}
