// Webhook messages that no function could handle: the operator lists them, and sends them again.
import { type DeadLetter, deleteDeadLetter, forEachDeadLetter, releaseDeadLetter } from "../aws/dead-letter-queue.ts";
import type { DeadLetterOptions } from "../jobs/failed-jobs.ts";
import type { Job } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import type { Webhook } from "./webhook.ts";
import { enqueueDelivery, isReceiverRequest, parseWebhookMessage, type WebhookMessage } from "./webhook-queue.ts";

/** What a message is about: a capture, a saved receiver, or all jobs of an account. Nulls are of a message that is none of these. */
type WebhookIds =
  | { readonly account_id: number | null; readonly request_id: number | null }
  | { readonly account_id: number; readonly receiver_id: string };

/** Facts of a message about a capture, or about a receiver or an account. */
export type DeadWebhook = WebhookIds & { readonly age_seconds: number } & (
    | { readonly status: Job["status"] | null; readonly webhook_status: Webhook["status"] | null }
    | { readonly kind: string }
  );

/** What became of a message: `queued`, or `not a webhook`. */
export type RetriedWebhook = WebhookIds & { readonly outcome: string };

/** Lists webhook messages, and keeps them. */
export function listDeadWebhooks(
  {
    ACTIVITY_TABLE,
    WEBHOOK_DEAD_LETTER_QUEUE_URL,
  }: Pick<Environment, "ACTIVITY_TABLE" | "WEBHOOK_DEAD_LETTER_QUEUE_URL">,
  { now, limit }: DeadLetterOptions,
): Promise<DeadWebhook[]> {
  const describe = async (letter: DeadLetter) => {
    const message = readMessage(letter);
    const state = await describeState(message, ACTIVITY_TABLE, now);
    await releaseDeadLetter(WEBHOOK_DEAD_LETTER_QUEUE_URL, letter);
    return { ...idsOf(message), age_seconds: Math.round((now - letter.sentAt) / 1000), ...state };
  };
  return forEachDeadLetter(WEBHOOK_DEAD_LETTER_QUEUE_URL, describe, limit);
}

/** Sends each message to the webhook queue again, where the job or the receiver decides what is still due. Other messages stay. */
export function retryDeadWebhooks(
  {
    WEBHOOK_QUEUE_URL,
    WEBHOOK_DEAD_LETTER_QUEUE_URL,
  }: Pick<Environment, "WEBHOOK_QUEUE_URL" | "WEBHOOK_DEAD_LETTER_QUEUE_URL">,
  { limit }: Pick<DeadLetterOptions, "limit"> = {},
): Promise<RetriedWebhook[]> {
  const retry = async (letter: DeadLetter) => {
    const message = readMessage(letter);
    if (!message) {
      await releaseDeadLetter(WEBHOOK_DEAD_LETTER_QUEUE_URL, letter);
      return { ...idsOf(message), outcome: "not a webhook" };
    }
    await enqueueDelivery(WEBHOOK_QUEUE_URL, message);
    await deleteDeadLetter(WEBHOOK_DEAD_LETTER_QUEUE_URL, letter);
    return { ...idsOf(message), outcome: "queued" };
  };
  return forEachDeadLetter(WEBHOOK_DEAD_LETTER_QUEUE_URL, retry, limit);
}

async function describeState(message: WebhookMessage | undefined, table: string, now: number) {
  if (message && !("job_id" in message)) return { kind: message.kind };
  const job = message && (await findJob(table, { account_id: message.account_id, id: message.job_id }, now));
  return { status: job?.status ?? null, webhook_status: job?.webhook?.status ?? null };
}

function idsOf(message: WebhookMessage | undefined): WebhookIds {
  if (message && isReceiverRequest(message))
    return { account_id: message.account_id, receiver_id: message.receiver_id };
  const request_id = message && "job_id" in message ? message.job_id : null;
  return { account_id: message?.account_id ?? null, request_id };
}

function readMessage({ body }: DeadLetter): WebhookMessage | undefined {
  try {
    return parseWebhookMessage(body);
  } catch {
    return undefined;
  }
}
