// What a request for a capture is answered by.
import { environment } from "../platform/environment.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { streamingApiHandler } from "./api-handler.ts";
import { createBrowserLauncher } from "./browser-launcher.ts";
import { serveCapture } from "./serve-capture.ts";

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
