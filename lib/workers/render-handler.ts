// What a message of the queue of captures is taken by.

import { createBrowserLauncher } from "../engine/browser/browser-launcher.ts";
import { environment } from "../platform/environment.ts";
import { queueHandler } from "./queue-handler.ts";
import { renderJob } from "./render-job.ts";

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
