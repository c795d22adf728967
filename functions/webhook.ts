// Delivers webhooks, one message of the webhook queue at a time, sends what was kept for receivers and events for the operator, fails abandoned
// jobs, and ends those of suspended accounts. A message that has to wait is sent again and deleted: it doesn't stay in flight.

import { queueHandler } from "../lib/service/aws/queue-handler.ts";
import { failIfAbandoned } from "../lib/service/jobs/abandoned-jobs.ts";
import { handleAccountRequest } from "../lib/service/jobs/account-jobs.ts";
import { hasEnded } from "../lib/service/jobs/job.ts";
import { deliverOperatorEvent } from "../lib/service/operator-events/deliver-event.ts";
import { allowedOrigins } from "../lib/service/platform/allowed-origins.ts";
import { environment } from "../lib/service/platform/environment.ts";
import { sendReceiverEvents } from "../lib/service/receivers/send-events.ts";
import { deliverWebhook } from "../lib/service/webhooks/deliver-webhook.ts";
import { sendLater } from "../lib/service/webhooks/send-later.ts";
import { DELIVERY_ATTEMPT_TIMEOUT_MS } from "../lib/service/webhooks/webhook.ts";
import {
  type DeliveryRequest,
  isAccountRequest,
  isOperatorEventRequest,
  isReceiverRequest,
  type PostponedRequest,
  parseWebhookMessage,
} from "../lib/service/webhooks/webhook-queue.ts";

const env = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "BASE_URL",
  "WEBHOOK_QUEUE_URL",
  "WEBHOOK_SCHEDULE_GROUP",
  "WEBHOOK_SCHEDULE_ROLE_ARN",
  "WEBHOOK_DEAD_LETTER_QUEUE_ARN",
  "OPERATOR_WEBHOOK",
);
const allowed = allowedOrigins();

export const handler = queueHandler(env.WEBHOOK_QUEUE_URL, async ({ body, hide }) => {
  const request = parseWebhookMessage(body);
  await hide((2 * DELIVERY_ATTEMPT_TIMEOUT_MS) / 1000); // if this worker dies, the next one tries within a minute
  if (isAccountRequest(request)) {
    await handleAccountRequest(request, env);
    return undefined;
  }
  const until = isOperatorEventRequest(request)
    ? await deliverOperatorEvent(request, { env, url: env.OPERATOR_WEBHOOK, allowed })
    : isReceiverRequest(request)
      ? await sendReceiverEvents(request, { env })
      : ((await leaseExpiry(request)) ?? (await deliverWebhook(request, { env, allowed })));
  if (until !== undefined) await sendLater(afterWait(request), until, env);
  return undefined;
});

function afterWait(request: PostponedRequest): PostponedRequest {
  return isReceiverRequest(request) || isOperatorEventRequest(request)
    ? request
    : { ...request, waits: (request.waits ?? 0) + 1 };
}

/** When the lease of a job expires that is checked for its worker, in milliseconds since 1970; undefined once it has ended. */
async function leaseExpiry({ kind, account_id, job_id: id }: DeliveryRequest): Promise<number | undefined> {
  const job = kind === "watch" ? await failIfAbandoned({ account_id, id }, env) : undefined;
  return job && !hasEnded(job) ? job.lease?.until : undefined;
}
