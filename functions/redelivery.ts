// POST /api/v1/screenshot/{id}/webhook/redeliver: delivers the webhook of a capture once more.
import { environment } from "../lib/platform/environment.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { redeliverWebhook } from "../lib/runtime/redeliver-webhook.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL", "WEBHOOK_QUEUE_URL");

export const handler = apiHandler((request) => redeliverWebhook(request, places));
