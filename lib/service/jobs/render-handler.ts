// Handler of the render queue.

import { queueHandler } from "../aws/queue-handler.ts";
import { environment } from "../platform/environment.ts";
import { functionRenderer } from "../rendering/function-renderer.ts";
import { renderJob } from "./render-job.ts";

const env = environment(
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "RENDER_QUEUE_URL",
  "WEBHOOK_QUEUE_URL",
  "FAILED_RENDER_QUEUE_URL",
);
const createRenderer = await functionRenderer();

export const handler = queueHandler(env.RENDER_QUEUE_URL, (message) => renderJob(message, { createRenderer, env }));
