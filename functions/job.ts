// GET|HEAD|DELETE /api/v1/screenshot/{id}: the state of an asynchronous capture, its cancellation, and the deletion of its result.

import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { serveJob } from "../lib/api/jobs/serve-job.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "BASE_URL",
  "WEBHOOK_QUEUE_URL",
);

export const handler = streamingRouteHandler<"GET /api/v1/screenshot/{id}" | "DELETE /api/v1/screenshot/{id}">(
  (request) => serveJob(request, env),
);
