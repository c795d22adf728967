// Takes the captures that are to be taken in the background, one message of the queue at a time.
import "../lib/runtime/begin-unpacking.ts";

import { environment } from "../lib/platform/environment.ts";
import { createBrowserLauncher } from "../lib/runtime/browser-launcher.ts";
import { queueHandler } from "../lib/runtime/queue-handler.ts";
import { renderJob } from "../lib/runtime/render-job.ts";

const places = environment(
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "WEBHOOK_QUEUE_URL",
);
const begin = createBrowserLauncher();

export const handler = queueHandler(places.RENDER_QUEUE_URL, (message) => renderJob(message, { begin, places }));
