// Fails asynchronous captures whose messages went to the dead-letter queue of the render queue, one message at a time.
import { environment } from "../lib/platform/environment.ts";
import { failDeadJob } from "../lib/workers/dead-jobs.ts";
import { queueHandler } from "../lib/workers/queue-handler.ts";

const env = environment(
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RENDER_DEAD_LETTER_QUEUE_URL",
  "WEBHOOK_QUEUE_URL",
  "FAILED_RENDER_QUEUE_URL",
);

export const handler = queueHandler(env.RENDER_DEAD_LETTER_QUEUE_URL, ({ body }) => failDeadJob(body, env));
