// The webhook of a job: whom it tells, how that went, and when it is tried again.
import * as v from "valibot";
import { secondsUntilRetry } from "./retry-schedule.ts";

/** One try to deliver a webhook. */
export const DeliverySchema = v.object({
  /** Timestamp of its begin. */
  at: v.string(),
  /** Status of the answer, null where there was none. */
  http_status_code: v.nullable(v.number()),
  /** Why it was in vain, in one sentence. */
  error: v.nullable(v.string()),
  duration_ms: v.number(),
});
export type Delivery = v.InferOutput<typeof DeliverySchema>;

/**
 * - `pending`: is to be delivered as soon as the job has an outcome, or tried again
 * - `delivered`: the receiver took it
 * - `failed`: all tries were in vain, or the receiver wants no more of them
 * - `skipped`: there is nothing to tell, because the job failed and only successes are told
 */
export const webhookStatuses = ["pending", "delivered", "failed", "skipped"] as const;

export const WebhookSchema = v.object({
  url: v.string(),
  is_signed: v.boolean(),
  /** False where only a success is told. */
  notifies_on_failure: v.boolean(),
  status: v.picklist(webhookStatuses),
  /** Oldest first; of many the last ones. */
  deliveries: v.array(DeliverySchema),
  /** Grows each time it is sent anew from the start, so that what is left of an earlier time ends. */
  round: v.number(),
  /** Tries of this round that were in vain. */
  failures: v.number(),
  /** Nobody tries before that, in milliseconds since 1970: a try is due then, or whoever is trying now has ended. */
  next_at: v.number(),
  /** True while somebody tries it, until `next_at` at most. */
  is_in_flight: v.optional(v.boolean(), false),
  /** Who tried it last, so that two who begin in the same millisecond are not taken for one. */
  holder: v.nullable(v.string()),
  /** Grows with every change, so that none is made on what is no longer so. */
  version: v.number(),
});
export type Webhook = v.InferOutput<typeof WebhookSchema>;

/** What a caller asked for. */
export type WebhookSettings = Pick<Webhook, "url" | "is_signed" | "notifies_on_failure">;

/** The webhook of a new job. */
export function newWebhook({ url, is_signed, notifies_on_failure }: WebhookSettings): Webhook {
  return {
    url,
    is_signed,
    notifies_on_failure,
    status: "pending",
    deliveries: [],
    round: 0,
    failures: 0,
    next_at: 0,
    is_in_flight: false,
    holder: null,
    version: 0,
  };
}

/** True when the outcome of a job is to be told. */
export function shouldNotify({ notifies_on_failure }: WebhookSettings, outcome: "success" | "failed"): boolean {
  return outcome === "success" || notifies_on_failure;
}

/** The webhook of a job that has this outcome now. */
export function completedWebhook(webhook: Webhook, outcome: "success" | "failed"): Webhook {
  return changed(webhook, { status: shouldNotify(webhook, outcome) ? "pending" : "skipped" });
}

/** The webhook delivered from the start once more, whatever became of it before. */
export function restartedWebhook(webhook: Webhook): Webhook {
  return changed(webhook, {
    status: "pending",
    round: webhook.round + 1,
    failures: 0,
    next_at: 0,
    is_in_flight: false,
  });
}

/**
 * When a webhook is tried again, in milliseconds since 1970. Undefined while it is being tried or about to be tried, and
 * when no other try follows.
 */
export function nextAttempt({ status, next_at, is_in_flight }: Webhook): number | undefined {
  return status === "pending" && !is_in_flight && next_at > 0 ? next_at : undefined;
}

/** What is to be done about a webhook. */
export type NextStep =
  | { readonly step: "end" }
  | { readonly step: "wait"; readonly until: number }
  | { readonly step: "try" };

/**
 * What is to be done at `now` (milliseconds since 1970) by whoever was ordered to deliver it; `round` is that of the
 * order, or undefined for whichever it is in.
 */
export function nextStep(webhook: Webhook, round: number | undefined, now: number): NextStep {
  if (webhook.status !== "pending" || (round !== undefined && round < webhook.round)) return { step: "end" };
  return webhook.next_at > now ? { step: "wait", until: webhook.next_at } : { step: "try" };
}

/**
 * Longest time in milliseconds that a try takes, with all that is read and written for it: whoever tries lives no longer.
 * The receiver has ten seconds of it.
 */
export const ATTEMPT_TIMEOUT_MS = 20_000;

/**
 * The webhook while `holder`, who is like no other, tries it and began at `now`; another copy of the order waits for
 * that.
 */
export function startAttempt(
  webhook: Webhook,
  { holder, now }: { readonly holder: string; readonly now: number },
): Webhook {
  return changed(webhook, { holder, is_in_flight: true, next_at: now + ATTEMPT_TIMEOUT_MS });
}

/** Deliveries that are kept. */
const MAX_DELIVERIES = 20;

/**
 * The webhook after a try that belonged to `round`; `random` is a number from 0 up to 1. One of an earlier round is only
 * noted.
 */
export function finishAttempt(
  webhook: Webhook,
  delivery: Delivery,
  { round, now, random }: { readonly round: number; readonly now: number; readonly random: number },
): Webhook {
  const deliveries = [...webhook.deliveries, delivery].slice(-MAX_DELIVERIES);
  if (round !== webhook.round || webhook.status !== "pending") return changed(webhook, { deliveries });
  const noted = { deliveries, is_in_flight: false };
  if (delivery.error === null) return changed(webhook, { ...noted, status: "delivered" });
  const failures = webhook.failures + 1;
  const seconds = delivery.http_status_code === GONE ? undefined : secondsUntilRetry(failures, random);
  return seconds === undefined
    ? changed(webhook, { ...noted, failures, status: "failed" })
    : changed(webhook, { ...noted, failures, next_at: now + seconds * 1000 });
}

/** The receiver is no more and does not want to be asked again. */
const GONE = 410;

function changed(webhook: Webhook, changes: Partial<Webhook>): Webhook {
  return { ...webhook, ...changes, version: webhook.version + 1 };
}
