// POST /api/v1/screenshot/{id}/webhook/redeliver: delivers the webhook of a capture once more.

import { routeHandler } from "../lib/api/http/route-handler.ts";
import { redeliverWebhook } from "../lib/api/jobs/redeliver-webhook.ts";
import { environment } from "../lib/platform/environment.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL", "WEBHOOK_QUEUE_URL");

export const handler = routeHandler<"POST /api/v1/screenshot/{id}/webhook/redeliver">((request) =>
  redeliverWebhook(request, places),
);
