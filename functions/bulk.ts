// POST /api/v1/bulk: takes up to 20 captures in the background and answers with what became of each.
import { environment } from "../lib/platform/environment.ts";
import { allowedOrigins } from "../lib/runtime/allowed-origins.ts";
import { streamingApiHandler } from "../lib/runtime/api-handler.ts";
import { serveBulk } from "../lib/runtime/serve-bulk.ts";

const places = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "BASE_URL",
);
const allowed = allowedOrigins();

export const handler = streamingApiHandler((request) => serveBulk(request, { places, allowed }));
