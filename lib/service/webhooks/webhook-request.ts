// Builds the signed HTTP request of a webhook (Standard Webhooks).
import { randomBytes } from "node:crypto";
import { signatureHeaders } from "./signature.ts";

/** A job that has ended. */
export interface EndedJob {
  readonly id: number;
  readonly account_id: number;
  readonly status: "success" | "failed";
  /** Timestamp. */
  readonly finished_at: string;
}

export interface WebhookRequest<Type extends string = EventType> {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: Type;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an event reports: the outcome of a capture, or nothing but that it arrives. */
export const eventTypes = ["capture.succeeded", "capture.failed", "test"] as const;
export type EventType = (typeof eventTypes)[number];

const outcomeTypes = { success: "capture.succeeded", failed: "capture.failed" } as const;

/**
 * Builds the request that delivers `state` at `now` (milliseconds since 1970), signed with each of `secrets`, or
 * unsigned without secrets.
 */
export function webhookRequest(
  job: EndedJob,
  { state, secrets, now }: { readonly state: object; readonly secrets: readonly string[]; readonly now: number },
): WebhookRequest {
  const event = { type: outcomeTypes[job.status], timestamp: job.finished_at, data: state };
  return signedRequest(webhookId(job), event, { secrets, now });
}

/** Builds the request of a test event at `now` (milliseconds since 1970), which is of no capture. Signed as `webhookRequest` is. */
export function testWebhookRequest({
  secrets,
  now,
}: {
  readonly secrets: readonly string[];
  readonly now: number;
}): WebhookRequest {
  const id = `test_${randomBytes(12).toString("hex")}`;
  const data = { message: "This is a test of your webhook receiver." };
  return signedRequest(id, { type: "test" as const, timestamp: new Date(now).toISOString(), data }, { secrets, now });
}

/** The body of a webhook, as Standard Webhooks recommends it, and further fields. */
interface SentEvent<Type extends string> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: object;
  readonly [field: string]: unknown;
}

/**
 * Builds the request that delivers `event` with the `webhook-id` `id` at `now` (milliseconds since 1970), signed with each of `secrets`, or
 * unsigned without secrets.
 */
export function signedRequest<Type extends string>(
  id: string,
  event: SentEvent<Type>,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): WebhookRequest<Type> {
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify(event);
  return {
    id,
    type: event.type,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": USER_AGENT,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      ...signatureHeaders({ id, timestamp, body }, secrets),
    },
    body,
  };
}

const USER_AGENT = "Screen-Capture-API/1 (webhook)";

/**
 * The idempotency key of the event: constant over retries, so that a receiver can deduplicate. It includes the account,
 * because job ids are unique per account only, and the end, because a requeued job ends again.
 */
function webhookId({ id, account_id, finished_at }: EndedJob): string {
  return `capture_${account_id}_${id}_${Date.parse(finished_at)}`;
}
