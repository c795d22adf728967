// POST /api/v1/screenshot/{id}/webhook/redeliver: delivers the webhook of a capture again.

import { routeHandler } from "../lib/api/http/route-handler.ts";
import { redeliverWebhook } from "../lib/api/jobs/redeliver-webhook.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL", "WEBHOOK_QUEUE_URL");

export const handler = routeHandler<"POST /api/v1/screenshot/{id}/webhook/redeliver">((request) =>
  redeliverWebhook(request, env),
);
