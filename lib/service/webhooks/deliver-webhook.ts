// Delivers the webhook of a job to its receiver when it is due.
import { randomUUID } from "node:crypto";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { signingSecrets } from "../account/account.ts";
import { readKey } from "../account/account-store.ts";
import { describeJob } from "../jobs/describe-job.ts";
import { hasEnded, type Job, type JobIds } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { acquireDeliverySlot } from "./delivery-slots.ts";
import { ATTEMPT_TIMEOUT_MS, type Delivery, finishAttempt, nextStep, startAttempt, type Webhook } from "./webhook.ts";
import { hasTimedOut, sendWebhook } from "./webhook-client.ts";
import type { DeliveryRequest } from "./webhook-queue.ts";
import { type EndedJob, webhookRequest } from "./webhook-request.ts";
import { replaceWebhook } from "./webhook-store.ts";

export interface DeliveryResources {
  readonly env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
  /** How often the message was delivered, this time included: the wait for a slot doubles each time. */
  readonly receives: number;
  /** Milliseconds within which the receiver must respond. @default 10,000 */
  readonly timeoutMs?: number;
}

/**
 * Delivers a webhook that is due and that no other worker is delivering. Resolves to when its message is to be handled
 * again, in milliseconds since 1970, or to undefined when nothing is left to do.
 */
export async function deliverWebhook(
  request: DeliveryRequest,
  delivering: DeliveryResources,
): Promise<number | undefined> {
  const { ACTIVITY_TABLE, USAGE_TABLE } = delivering.env;
  for (;;) {
    const now = Date.now();
    const job = endedJob(await findJob(ACTIVITY_TABLE, { account_id: request.account_id, id: request.job_id }, now));
    if (!job) return undefined;
    const next = nextStep(job.webhook, request.round, now);
    if (next.step === "end") return undefined;
    if (next.step === "wait") return next.until;
    const holder = randomUUID().replaceAll("-", "");
    const slot = await acquireDeliverySlot(
      USAGE_TABLE,
      { accountId: job.account_id, url: job.webhook.url, holder },
      { now, until: now + ATTEMPT_TIMEOUT_MS },
    );
    if (!slot) return now + slotBackoffMs(delivering.receives, Math.random());
    const webhook = startAttempt(job.webhook, { holder, now });
    let isHung: boolean | undefined;
    try {
      if (!(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) continue; // another worker was faster
      const delivery = await deliverOnce({ ...job, webhook }, delivering);
      isHung = hasTimedOut(delivery, delivering.timeoutMs);
      const { status, next_at } = await storeAttempt({ ...job, webhook }, delivery, delivering);
      return status === "pending" ? next_at : undefined;
    } finally {
      await slot.release(isHung);
    }
  }
}

const MAX_SLOT_BACKOFF_MS = 5 * 60_000;

/**
 * Exponential backoff with jitter while no slot is free, in milliseconds: an account with many receivers that hang neither
 * keeps the workers busy nor fills the dead-letter queue. `random` is a number from 0 up to 1.
 */
function slotBackoffMs(receives: number, random: number): number {
  return Math.min(MAX_SLOT_BACKOFF_MS, 1_000 * 2 ** Math.min(receives - 1, 10)) * (0.5 + random / 2);
}

type DeliverableJob = Job & EndedJob & { readonly webhook: Webhook };

/** The job, if it has an outcome and a webhook. */
function endedJob(job: Job | undefined): DeliverableJob | undefined {
  return job && hasEnded(job) && job.webhook && job.finished_at !== null ? (job as DeliverableJob) : undefined;
}

async function deliverOnce(job: DeliverableJob, { env, allowed, timeoutMs }: DeliveryResources): Promise<Delivery> {
  const now = Date.now();
  const [state, secrets] = await Promise.all([describeJob(job, env, now), readSigningSecrets(job, env, now)]);
  const way = { allowed, ...(timeoutMs !== undefined && { timeoutMs }) };
  const delivery = await sendWebhook(job.webhook.url, webhookRequest(job, { state, secrets, now }), way);
  const { http_status_code, duration_ms } = delivery;
  logInfo("webhook", { account_id: job.account_id, job_id: job.id, http_status_code, duration_ms });
  emitMetrics({ WebhookDeliveries: 1, WebhookFailures: delivery.error === null ? 0 : 1 }, { job_id: job.id });
  return delivery;
}

/** A revoked key still signs the webhooks of captures that were requested with it. */
async function readSigningSecrets(
  { account_id, api_key_id, webhook }: DeliverableJob,
  { ACCOUNTS_TABLE }: DeliveryResources["env"],
  now: number,
): Promise<string[]> {
  if (!webhook.is_signed) return [];
  const key = await readKey(ACCOUNTS_TABLE, { account_id, id: api_key_id });
  if (!key) throw new Error(`The key ${api_key_id} of account ${account_id} is missing.`);
  return signingSecrets(key, now);
}

/** Stores the outcome of an attempt, merged with what was stored meanwhile. Resolves to the webhook as it is then. */
async function storeAttempt(job: DeliverableJob, delivery: Delivery, { env }: DeliveryResources): Promise<Webhook> {
  const { round } = job.webhook;
  const facts = { round, now: Date.now(), random: Math.random() };
  let stored: JobIds & { readonly webhook: Webhook } = job;
  for (;;) {
    const webhook = finishAttempt(stored.webhook, delivery, facts);
    if (await replaceWebhook(env.ACTIVITY_TABLE, stored, webhook)) return webhook;
    const now = await findJob(env.ACTIVITY_TABLE, job, Date.now());
    if (!now?.webhook) return webhook; // expired meanwhile
    stored = { ...now, webhook: now.webhook };
  }
}
