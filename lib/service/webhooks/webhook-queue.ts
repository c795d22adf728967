// The queue of webhooks: the schemas of its messages, and the producers.
import * as v from "valibot";
import { sendForAccount } from "../aws/account-queue.ts";
import type { JobIds } from "../jobs/job.ts";
import type { ReceiverIds } from "../receivers/receiver.ts";

const id = v.pipe(v.number(), v.safeInteger());

/**
 * - `deliver`: the job has ended; send its webhook
 * - `watch`: the job's lease should have ended by now; fail the job if its worker died, then send its webhook
 */
const DeliveryRequestSchema = v.object({
  kind: v.picklist(["deliver", "watch"]),
  account_id: id,
  job_id: id,
  /** The delivery round this message belongs to; absent when it applies to any round. */
  round: v.optional(v.number()),
  /** How many messages before this one found that they had to wait: the wait for a slot doubles each time. */
  waits: v.optional(v.number()),
});
export type DeliveryRequest = v.InferOutput<typeof DeliveryRequestSchema>;

/** Requests about many events of a receiver. `at` is when it was requested, in milliseconds since 1970. */
const ReceiverRequestSchema = v.variant("kind", [
  /** The receiver was resumed or deleted: send the events that were kept. */
  v.object({ kind: v.literal("resume"), account_id: id, receiver_id: v.string(), at: v.number() }),
  /**
   * The receiver was paused: tell its account if the service has paused it, and keep the events whose attempts had ended while it was
   * failing. `after` is the last one that was looked at.
   */
  v.object({
    kind: v.literal("pause"),
    account_id: id,
    receiver_id: v.string(),
    at: v.number(),
    after: v.exactOptional(v.string()),
  }),
  /** Send the events again whose deliveries have an id from `from` to `to`. */
  v.object({
    kind: v.literal("replay"),
    account_id: id,
    receiver_id: v.string(),
    at: v.number(),
    from: id,
    to: id,
  }),
]);
export type ReceiverRequest = v.InferOutput<typeof ReceiverRequestSchema>;

/**
 * Requests about the jobs of an account, newest first:
 * - `end_jobs`: it was suspended; end those that have not ended
 * - `send_webhooks`: it was resumed; send the webhooks that waited
 */
const AccountRequestSchema = v.object({
  kind: v.picklist(["end_jobs", "send_webhooks"]),
  account_id: id,
  /** Only jobs with a lower id. Absent in the first message. */
  before: v.exactOptional(id),
});
export type AccountRequest = v.InferOutput<typeof AccountRequestSchema>;

/** An event for the operator is due. */
const OperatorEventRequestSchema = v.object({
  kind: v.literal("operator_event"),
  account_id: id,
  id: v.string(),
  /** Sends it again, regardless of its state: when the operator asked for it, in milliseconds since 1970. */
  again: v.exactOptional(v.number()),
});
export type OperatorEventRequest = v.InferOutput<typeof OperatorEventRequestSchema>;

/** A message that is sent later when it has to wait. */
export type PostponedRequest = DeliveryRequest | ReceiverRequest | OperatorEventRequest;
export type WebhookMessage = PostponedRequest | AccountRequest;

const WebhookMessageSchema = v.union([
  DeliveryRequestSchema,
  ReceiverRequestSchema,
  AccountRequestSchema,
  OperatorEventRequestSchema,
]);

/** What EventBridge Scheduler leaves in the dead-letter queue: the call of SQS that it could not make. */
const FailedCallSchema = v.object({ MessageBody: v.pipe(v.string(), v.parseJson(), WebhookMessageSchema) });

/** Parses the body of a message of the queue, or of its dead-letter queue. Throws when it is neither. */
export function parseWebhookMessage(body: string): WebhookMessage {
  const parsed = JSON.parse(body);
  const failedCall = v.safeParse(FailedCallSchema, parsed);
  return failedCall.success ? failedCall.output.MessageBody : v.parse(WebhookMessageSchema, parsed);
}

/** True for a message about a receiver. */
export function isReceiverRequest(message: WebhookMessage): message is ReceiverRequest {
  return "receiver_id" in message;
}

/** True for a message about all jobs of an account. */
export function isAccountRequest(message: WebhookMessage): message is AccountRequest {
  return message.kind === "end_jobs" || message.kind === "send_webhooks";
}

/** True for a message about an event for the operator. */
export function isOperatorEventRequest(message: WebhookMessage): message is OperatorEventRequest {
  return message.kind === "operator_event";
}

/** Queues a request about the jobs of an account. */
export function enqueueAccountRequest(queueUrl: string, request: AccountRequest): Promise<void> {
  return enqueueDelivery(queueUrl, request);
}

/**
 * Queues the webhook of a job that has ended. Queued twice, it is delivered once all the same. `round` is that of a restart, so that
 * messages of earlier ones are ignored.
 */
export function enqueueWebhook(queueUrl: string, { account_id, id: job_id }: JobIds, round?: number): Promise<void> {
  return enqueueDelivery(queueUrl, { kind: "deliver", account_id, job_id, round });
}

/** Seconds that the change of a receiver has to be stored before the message is handled that follows it. */
const RECEIVER_CHANGE_DELAY_S = 1;

/**
 * Queues what follows the pause or the resumption of a receiver at `at` (milliseconds since 1970), before that is stored: if the function
 * ends in between, the message finds no change, and the receiver can be paused or resumed again.
 */
export function enqueueReceiverChange(
  queueUrl: string,
  { kind, at }: Pick<ReceiverRequest, "at"> & { readonly kind: "pause" | "resume" },
  { account_id, id: receiver_id }: ReceiverIds,
): Promise<void> {
  return enqueueDelivery(queueUrl, { kind, account_id, receiver_id, at }, { delaySeconds: RECEIVER_CHANGE_DELAY_S });
}

/** Queues a message. It stays invisible to consumers for `delaySeconds`, at most `MAX_DELAY_S`. */
export function enqueueDelivery(
  queueUrl: string,
  request: WebhookMessage,
  delay: { readonly delaySeconds?: number } = {},
): Promise<void> {
  return sendForAccount(queueUrl, request, delay);
}
