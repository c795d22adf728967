// Fails asynchronous captures whose messages went to the dead-letter queue of the render queue, one message at a time. For the operator's
// function, it lists and retries the messages of captures and webhooks that failed.
import type { Context, SQSEvent } from "aws-lambda";
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

const handleQueue = queueHandler(env.RENDER_DEAD_LETTER_QUEUE_URL, ({ body }) => failDeadJob(body, env));

export async function handler(event: SQSEvent | object, context: Context): Promise<unknown> {
  if ("Records" in event) return handleQueue(event, context);
  const { answerDeadLetters } = await import("../lib/service/operator/answer-dead-letters.ts");
  return answerDeadLetters(event);
}
