// POST /api/v1/bulk: enqueues up to 20 captures and describes the job of each.

import { serveBulk } from "../lib/api/bulk/serve-bulk.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { allowedOrigins } from "../lib/platform/allowed-origins.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "BASE_URL",
  "MAX_WAITING_BULKS",
);
const allowed = allowedOrigins();

export const handler = streamingRouteHandler<"POST /api/v1/bulk">((request) => serveBulk(request, { env, allowed }));
