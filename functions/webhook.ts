// Delivers the webhooks of jobs, one message of the queue at a time, and ends jobs of which nobody else will.
import { hasEnded } from "../lib/jobs/job.ts";
import { allowedOrigins } from "../lib/platform/allowed-origins.ts";
import { environment } from "../lib/platform/environment.ts";
import { ATTEMPT_TIMEOUT_MS } from "../lib/webhooks/webhook.ts";
import { type DeliveryRequest, parseDeliveryRequest } from "../lib/webhooks/webhook-queue.ts";
import { failIfAbandoned } from "../lib/workers/abandoned-jobs.ts";
import { deliverWebhook } from "../lib/workers/deliver-webhook.ts";
import { queueHandler } from "../lib/workers/queue-handler.ts";

const places = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "BASE_URL",
  "WEBHOOK_QUEUE_URL",
);
const allowed = allowedOrigins();

export const handler = queueHandler(places.WEBHOOK_QUEUE_URL, async ({ body, receives, hide }) => {
  const order = parseDeliveryRequest(body);
  await hide((2 * ATTEMPT_TIMEOUT_MS) / 1000); // if this function is killed, the next one tries within a minute
  const until = (await endOfLease(order)) ?? (await deliverWebhook(order, { places, allowed, receives }));
  return until === undefined ? undefined : (until - Date.now()) / 1000;
});

/** Until when a job is held that is to be watched, in milliseconds since 1970; undefined once it is over. */
async function endOfLease({ kind, account_id, job_id: id }: DeliveryRequest): Promise<number | undefined> {
  const job = kind === "watch" ? await failIfAbandoned({ account_id, id }, places) : undefined;
  return job && !hasEnded(job) ? job.lease?.until : undefined;
}
