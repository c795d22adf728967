// POST /api/v1/webhooks/test: sends a test event to a receiver of webhooks.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { testWebhook } from "../lib/api/jobs/routes.ts";

export const handler = await serveRoutes([testWebhook]);
