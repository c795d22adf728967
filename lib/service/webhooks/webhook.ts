// A webhook as a pure state machine: delivery attempts, retries and restarts, of jobs and of events for the operator.
import * as v from "valibot";
import { MAX_REPEATS_PER_DAY } from "../receivers/replay-limits.ts";
import { secondsUntilRetry } from "./retry-schedule.ts";

/** One attempt to deliver a webhook. */
export const DeliverySchema = v.object({
  /** Timestamp of its start. */
  at: v.string(),
  /** Status of the response, null without one. */
  http_status_code: v.nullable(v.number()),
  /** Why it failed, in one sentence; null for a success. */
  error: v.nullable(v.string()),
  duration_ms: v.number(),
  /** The beginning of the body of a response that is no success. */
  response_excerpt: v.exactOptional(v.string()),
});
export type Delivery = v.InferOutput<typeof DeliverySchema>;

/**
 * - `pending`: waits for the job to end, or for the next attempt
 * - `delivered`: the receiver accepted it
 * - `failed`: all attempts failed, or the receiver responded 410 Gone
 * - `skipped`: the job failed and only successes are delivered
 * - `paused`: kept while its receiver is paused
 */
const webhookStatuses = ["pending", "delivered", "failed", "skipped", "paused"] as const;

/** What the state machine stores of each webhook, in addition to its status. */
export const deliveryStateEntries = {
  /** Oldest first; only the latest are kept. */
  deliveries: v.array(DeliverySchema),
  /** Incremented by each restart, so that messages of earlier rounds are ignored. */
  round: v.number(),
  /** Failed attempts of this round. */
  failures: v.number(),
  /** Earliest time of the next attempt, in milliseconds since 1970; during an attempt, when its lease expires. */
  next_at: v.number(),
  /** True during an attempt, until `next_at` at most. */
  is_in_flight: v.optional(v.boolean(), false),
  /** The worker of the last attempt, which distinguishes two attempts that start in the same millisecond. */
  holder: v.nullable(v.string()),
  /** Optimistic lock: incremented by every change. */
  version: v.number(),
};
const DeliveryStateSchema = v.object({ status: v.string(), ...deliveryStateEntries });
/** The state of any webhook. The state machine sets the statuses `pending`, `delivered`, and `failed`. */
export type DeliveryState = v.InferOutput<typeof DeliveryStateSchema>;

/** The state of a webhook that no worker has attempted to deliver. */
export const NEW_DELIVERY = {
  status: "pending" as const,
  deliveries: [],
  round: 0,
  failures: 0,
  next_at: 0,
  is_in_flight: false,
  holder: null,
  version: 0,
} satisfies DeliveryState;

export const WebhookSchema = v.object({
  /** Null for a saved receiver, whose address can change until the delivery. */
  url: v.nullable(v.string()),
  /** Id of the saved receiver; null for an address of the request. */
  receiver_id: v.optional(v.nullable(v.string()), null),
  is_signed: v.boolean(),
  /** False when only successes are delivered. */
  notifies_on_failure: v.boolean(),
  status: v.picklist(webhookStatuses),
  ...deliveryStateEntries,
  /** The replay that restarted it last, by its time in milliseconds since 1970, so that it restarts it once. */
  replayed_at: v.exactOptional(v.number()),
  /** How often its account has sent it again on a UTC day, the last on which it did. */
  repeats: v.exactOptional(v.object({ day: v.string(), count: v.number() })),
});
export type Webhook = v.InferOutput<typeof WebhookSchema>;

/** The webhook settings of a request: an address, or a saved receiver. */
export type WebhookSettings = Pick<Webhook, "is_signed" | "notifies_on_failure"> &
  ({ readonly url: string; readonly receiver_id?: null } | { readonly url: null; readonly receiver_id: string });

/** Creates the webhook of a new job. */
export function newWebhook({ url, receiver_id = null, is_signed, notifies_on_failure }: WebhookSettings): Webhook {
  return { url, receiver_id, is_signed, notifies_on_failure, ...NEW_DELIVERY };
}

/** True when the settings include this outcome. */
function shouldNotify(
  { notifies_on_failure }: Pick<Webhook, "notifies_on_failure">,
  outcome: "success" | "failed",
): boolean {
  return outcome === "success" || notifies_on_failure;
}

/** Returns the webhook of a job that has ended with this outcome. */
export function completedWebhook(webhook: Webhook, outcome: "success" | "failed"): Webhook {
  return withChanges(webhook, { status: shouldNotify(webhook, outcome) ? "pending" : "skipped" });
}

/** Returns the webhook restarted from its first attempt, regardless of its status. It is no part of an earlier replay any more. */
export function restartedWebhook({ replayed_at: _, ...webhook }: Webhook): Webhook {
  return restartedDelivery(webhook);
}

/** Returns any webhook restarted from its first attempt, regardless of its status. */
export function restartedDelivery<W extends DeliveryState>(webhook: W): W {
  return withChanges(webhook, {
    status: "pending",
    round: webhook.round + 1,
    failures: 0,
    next_at: 0,
    is_in_flight: false,
  });
}

/**
 * Returns the webhook restarted for its account at `now` (milliseconds since 1970). Undefined when it was sent again as often on this UTC day
 * as it can be.
 */
export function repeatedWebhook(webhook: Webhook, now: number): Webhook | undefined {
  const day = new Date(now).toISOString().slice(0, 10);
  const count = webhook.repeats?.day === day ? webhook.repeats.count : 0;
  if (count >= MAX_REPEATS_PER_DAY) return undefined;
  return { ...restartedWebhook(webhook), repeats: { day, count: count + 1 } };
}

/** Returns the webhook restarted by the replay of `replayedAt`, in milliseconds since 1970. Undefined as for `repeatedWebhook`. */
export function replayedWebhook(webhook: Webhook, replayedAt: number): Webhook | undefined {
  const repeated = repeatedWebhook(webhook, replayedAt);
  return repeated && { ...repeated, replayed_at: replayedAt };
}

/** Returns a webhook that is due, kept because its receiver is paused. */
export function pausedWebhook(webhook: Webhook): Webhook {
  return withChanges(webhook, { status: "paused", is_in_flight: false });
}

/**
 * Returns a kept webhook, or one whose attempts have ended, due from its first attempt. Its round stays: no message of it is left, and the
 * worker that notices that the receiver was just resumed continues with its own.
 */
export function resumedWebhook(webhook: Webhook): Webhook {
  return withChanges(webhook, { status: "pending", failures: 0, next_at: 0 });
}

/** Returns the webhook failed without another attempt, for the reason that `delivery` states. */
export function undeliverableWebhook(webhook: Webhook, delivery: Delivery): Webhook {
  const deliveries = [...webhook.deliveries, delivery].slice(-MAX_DELIVERIES);
  return withChanges(webhook, { status: "failed", deliveries, is_in_flight: false });
}

/**
 * Returns the time of the next retry in milliseconds since 1970. Undefined during an attempt, before the first one, and
 * when no retry follows.
 */
export function nextDeliveryAttempt({ status, next_at, is_in_flight }: Webhook): number | undefined {
  return status === "pending" && !is_in_flight && next_at > 0 ? next_at : undefined;
}

/** What a worker does with a webhook. */
export type NextStep =
  | { readonly step: "end" }
  | { readonly step: "wait"; readonly until: number }
  | { readonly step: "try" };

/**
 * Returns what a worker does with a webhook at `now` (milliseconds since 1970). `round` is that of the queue message;
 * undefined applies to any round.
 */
export function nextStep(webhook: DeliveryState, round: number | undefined, now: number): NextStep {
  if (webhook.status !== "pending" || (round !== undefined && round < webhook.round)) return { step: "end" };
  return webhook.next_at > now ? { step: "wait", until: webhook.next_at } : { step: "try" };
}

/**
 * Lease of an attempt in milliseconds: all its reads, its writes and the ten seconds of the receiver. A worker's
 * timeout is shorter.
 */
export const DELIVERY_ATTEMPT_TIMEOUT_MS = 20_000;

/**
 * Returns the webhook leased by `holder` (unique) for an attempt that starts at `now` (milliseconds since 1970).
 * Duplicate messages wait for the lease to expire.
 */
export function startDeliveryAttempt<W extends DeliveryState>(
  webhook: W,
  { holder, now }: { readonly holder: string; readonly now: number },
): W {
  return withChanges(webhook, { holder, is_in_flight: true, next_at: now + DELIVERY_ATTEMPT_TIMEOUT_MS });
}

/** Maximum number of deliveries that are kept. */
export const MAX_DELIVERIES = 20;

/** Characters of a response that are kept, so that its receiver's owner sees what went wrong. */
export const MAX_EXCERPT_CHARACTERS = 200;

/**
 * Returns the webhook after an attempt of `round`; `random` is a number from 0 up to 1. An attempt of an earlier round
 * is only added to the deliveries.
 */
export function finishDeliveryAttempt<W extends DeliveryState>(
  webhook: W,
  delivery: Delivery,
  { round, now, random }: { readonly round: number; readonly now: number; readonly random: number },
): W {
  const deliveries = [...webhook.deliveries, delivery].slice(-MAX_DELIVERIES);
  if (round !== webhook.round || webhook.status !== "pending") return withChanges(webhook, { deliveries });
  const ended = { deliveries, is_in_flight: false };
  if (delivery.error === null) return withChanges(webhook, { ...ended, status: "delivered" });
  const failures = webhook.failures + 1;
  const delaySeconds = delivery.http_status_code === HTTP_GONE ? undefined : secondsUntilRetry(failures, random);
  return delaySeconds === undefined
    ? withChanges(webhook, { ...ended, failures, status: "failed" })
    : withChanges(webhook, { ...ended, failures, next_at: now + delaySeconds * 1000 });
}

/** True for a webhook that has failed because none of its attempts was a success, not because its receiver wants no more of it. */
export function hasUsedAllDeliveryAttempts({ status, deliveries }: Webhook): boolean {
  return status === "failed" && deliveries.at(-1)?.http_status_code !== HTTP_GONE;
}

/** 410 Gone: the receiver asks for no more attempts. */
const HTTP_GONE = 410;

function withChanges<W extends DeliveryState>(webhook: W, changes: Partial<DeliveryState>): W {
  return { ...webhook, ...changes, version: webhook.version + 1 };
}
