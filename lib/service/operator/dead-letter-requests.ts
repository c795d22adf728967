// What the operator's function asks of the function `dead-letters`, and what that answers. The messages of failed captures and webhooks can
// have secrets, so the operator's function can't receive them: the answers have facts alone.
import * as v from "valibot";

export const queueNames = ["renders", "webhooks"] as const;
/** Which messages: of failed captures, or of webhooks that no function could handle. */
export type QueueName = (typeof queueNames)[number];

export const DeadLetterRequest = v.strictObject({
  operation: v.picklist(["list", "retry"]),
  queue: v.picklist(queueNames),
});
export type DeadLetterRequest = v.InferOutput<typeof DeadLetterRequest>;

/** Messages that one request lists or retries, so that the function ends in time. */
export const MAX_DEAD_LETTERS = 100;

const idOrNull = v.nullable(v.number());
const textOrNull = v.nullable(v.string());
/** Nulls are of a message that is not what its queue should have, or whose capture is gone. */
const age = { account_id: idOrNull, request_id: idOrNull, age_seconds: v.number() };

export const FailedRender = v.object({ ...age, error: textOrNull, status: textOrNull });
export const FailedWebhook = v.object({
  ...age,
  /** The saved receiver that the message is about. */
  receiver_id: textOrNull,
  /** What a message about a receiver is for: `resume`, `pause`, or `replay`; or one about an account: `end_jobs` or `send_webhooks`. */
  kind: textOrNull,
  /** The state of the capture, and that of its webhook. */
  status: textOrNull,
  webhook_status: textOrNull,
});
export const RetryOutcome = v.object({
  account_id: idOrNull,
  request_id: idOrNull,
  receiver_id: textOrNull,
  /** `queued`, or why it was not. */
  outcome: v.string(),
});

export const deadLetterAnswers = {
  list: { renders: v.array(FailedRender), webhooks: v.array(FailedWebhook) },
  retry: { renders: v.array(RetryOutcome), webhooks: v.array(RetryOutcome) },
} as const;

export type DeadLetterAnswer<R extends DeadLetterRequest> = v.InferOutput<
  (typeof deadLetterAnswers)[R["operation"]][R["queue"]]
>;
