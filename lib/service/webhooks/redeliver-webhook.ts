// Delivers the webhook of a job again.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { statusUrl } from "../jobs/accepted-response.ts";
import { hasEnded, type Job } from "../jobs/job.ts";
import { findRequestedJob } from "../jobs/requested-job.ts";
import type { WebhookRedelivery } from "../jobs/responses.ts";
import { MAX_REPEATS_PER_DAY } from "../receivers/replay-limits.ts";
import { repeatedWebhook, type Webhook } from "./webhook.ts";
import { enqueueWebhook } from "./webhook-queue.ts";
import { replaceWebhook } from "./webhook-store.ts";

type RedeliveryCall = RouteCall<"capture", unknown, "ACTIVITY_TABLE" | "BASE_URL" | "WEBHOOK_QUEUE_URL">;

/**
 * Restarts the delivery of a webhook, regardless of its state. Throws `NOT_FOUND` when the account has no such job, and
 * `CONFLICT` when the job has not ended or has no webhook, or when that was sent again too often today.
 */
export async function redeliverWebhook({
  request,
  caller: { account },
  env,
}: RedeliveryCall): Promise<ApiResponse<ResponseBody<typeof WebhookRedelivery>>> {
  for (;;) {
    const job = requireWebhook(await findRequestedJob(request, account.id, env));
    const webhook = repeatedWebhook(job.webhook, request.receivedAt);
    if (!webhook) throw repeatedTooOften();
    if (!(await replaceWebhook(env.ACTIVITY_TABLE, job, webhook))) continue; // an attempt changed it at this moment
    await enqueueWebhook(env.WEBHOOK_QUEUE_URL, job, webhook.round);
    return redeliveryResponse(job, env);
  }
}

function requireWebhook(job: Job): Job & { readonly webhook: Webhook } {
  const { webhook } = job;
  if (!webhook) throw new ApiError("CONFLICT", "This capture was requested without a webhook.");
  if (hasEnded(job)) return { ...job, webhook };
  throw new ApiError("CONFLICT", `The capture is ${job.status}. Its webhook is delivered when it has ended.`);
}

function repeatedTooOften(): ApiError {
  const message = `The webhook was sent again ${MAX_REPEATS_PER_DAY} times today (UTC), as often as it can be. Send it again tomorrow.`;
  return new ApiError("CONFLICT", message);
}

function redeliveryResponse(job: Job, env: RedeliveryCall["env"]): ApiResponse<ResponseBody<typeof WebhookRedelivery>> {
  const status_url = statusUrl(job, env);
  const message = "The webhook is delivered again. Get its state from `status_url`.";
  return json(202, { message, request_id: job.id, status_url }, { Location: new URL(status_url).pathname });
}
