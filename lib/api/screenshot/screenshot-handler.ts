// Handler of /api/v1/screenshot.
import { createBrowserLauncher } from "../../engine/browser-launcher.ts";
import { allowedOrigins } from "../../platform/allowed-origins.ts";
import { engineSettings } from "../../platform/engine-settings.ts";
import { environment } from "../../platform/environment.ts";
import { streamingRouteHandler } from "../http/route-handler.ts";
import { serveCapture } from "./serve-capture.ts";

const env = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "BASE_URL",
  "MAX_STREAMED_RESULT_BYTES",
  "MAX_CONCURRENT_CAPTURES",
);
const startBrowser = createBrowserLauncher(engineSettings());
const allowed = allowedOrigins();

export const handler = streamingRouteHandler<"GET /api/v1/screenshot" | "POST /api/v1/screenshot">((request) =>
  serveCapture(request, { startBrowser, env, allowed }),
);
