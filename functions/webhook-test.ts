// POST /api/v1/webhooks/test: sends a test event to a receiver of webhooks.
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { testWebhook } from "../lib/api/jobs/webhook-test.ts";
import { allowedOrigins } from "../lib/platform/allowed-origins.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE");
const allowed = allowedOrigins();

export const handler = routeHandler<"POST /api/v1/webhooks/test">((request) => testWebhook(request, { env, allowed }));
