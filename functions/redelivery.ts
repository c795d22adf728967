// POST /api/v1/screenshot/{id}/webhook/redeliver: delivers the webhook of a capture again.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { redeliverWebhook } from "../lib/api/jobs/routes.ts";

export const handler = await serveRoutes([redeliverWebhook]);
