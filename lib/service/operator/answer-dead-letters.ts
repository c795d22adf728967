// Answers a request of the operator's function about messages of failed captures and webhooks.
import * as v from "valibot";
import { listFailedJobs, retryFailedJobs } from "../jobs/failed-jobs.ts";
import { environment } from "../platform/environment.ts";
import { listDeadWebhooks, retryDeadWebhooks } from "../webhooks/dead-webhooks.ts";
import { type DeadLetterAnswer, DeadLetterRequest, MAX_DEAD_LETTERS } from "./dead-letter-requests.ts";

/** Facts that only some messages have. */
const NO_FACTS = { request_id: null, receiver_id: null, kind: null, status: null, webhook_status: null };

/** Lists messages, or retries them. Throws for an event that is no request, and in a stage without operators, whose role doesn't allow it. */
export async function answerDeadLetters(event: unknown): Promise<DeadLetterAnswer<DeadLetterRequest>> {
  const { operation, queue } = v.parse(DeadLetterRequest, event);
  const env = environment(
    "ACTIVITY_TABLE",
    "RENDER_QUEUE_URL",
    "FAILED_RENDER_QUEUE_URL",
    "WEBHOOK_QUEUE_URL",
    "WEBHOOK_DEAD_LETTER_QUEUE_URL",
  );
  const options = { now: Date.now(), limit: MAX_DEAD_LETTERS };
  switch (`${operation} ${queue}` as const) {
    case "list renders":
      return listFailedJobs(env, options);
    case "list webhooks":
      return (await listDeadWebhooks(env, options)).map((webhook) => ({ ...NO_FACTS, ...webhook }));
    case "retry renders":
      return (await retryFailedJobs(env, options)).map((retried) => ({ receiver_id: null, ...retried }));
    case "retry webhooks":
      return (await retryDeadWebhooks(env, options)).map((retried) => ({
        request_id: null,
        receiver_id: null,
        ...retried,
      }));
  }
}
