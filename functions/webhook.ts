// Delivers the webhooks of jobs, one message of the queue at a time.
import { environment } from "../lib/platform/environment.ts";
import { allowedOrigins } from "../lib/runtime/allowed-origins.ts";
import { deliverWebhook } from "../lib/runtime/deliver-webhook.ts";
import { queueHandler } from "../lib/runtime/queue-handler.ts";
import { parseWebhookOrder } from "../lib/webhooks/webhook-order.ts";

const places = environment("ACCOUNTS_TABLE", "ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL", "WEBHOOK_QUEUE_URL");
const allowed = allowedOrigins();

export const handler = queueHandler(places.WEBHOOK_QUEUE_URL, async ({ body }) => {
  const until = await deliverWebhook(parseWebhookOrder(body), { places, allowed });
  return until === undefined ? undefined : (until - Date.now()) / 1000;
});
