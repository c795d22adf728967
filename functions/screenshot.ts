// GET|POST /api/v1/screenshot: captures a page and answers with the image or with where it is stored, at once or later.
import "../lib/runtime/begin-unpacking.ts";

import { environment } from "../lib/platform/environment.ts";
import { allowedOrigins } from "../lib/runtime/allowed-origins.ts";
import { streamingApiHandler } from "../lib/runtime/api-handler.ts";
import { createBrowserLauncher } from "../lib/runtime/browser-launcher.ts";
import { serveCapture } from "../lib/runtime/serve-capture.ts";

const places = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "BASE_URL",
);
const begin = createBrowserLauncher();
const allowed = allowedOrigins();

export const handler = streamingApiHandler((request) => serveCapture(request, { begin, places, allowed }));
