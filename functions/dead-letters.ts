// Fails asynchronous captures whose messages went to the dead-letter queue of the render queue, one message at a time.

import { queueHandler } from "../lib/service/aws/queue-handler.ts";
import { failDeadJob } from "../lib/service/jobs/dead-jobs.ts";
import { environment } from "../lib/service/platform/environment.ts";

const env = environment(
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RENDER_DEAD_LETTER_QUEUE_URL",
  "WEBHOOK_QUEUE_URL",
  "FAILED_RENDER_QUEUE_URL",
);

export const handler = queueHandler(env.RENDER_DEAD_LETTER_QUEUE_URL, ({ body }) => failDeadJob(body, env));
