// Handles requests to redeliver the webhook of a capture.

import { runOnce } from "../../captures/idempotency.ts";
import { ApiError } from "../../errors/api-error.ts";
import { hasEnded, type Job } from "../../jobs/job.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { parseId } from "../../platform/ids.ts";
import { restartedWebhook, type Webhook } from "../../webhooks/webhook.ts";
import { enqueueDelivery } from "../../webhooks/webhook-queue.ts";
import { replaceWebhook } from "../../webhooks/webhook-store.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import { requestedJob } from "./requested-job.ts";
import type { WebhookRedelivery } from "./responses.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "BASE_URL" | "WEBHOOK_QUEUE_URL">;

/**
 * Redelivers the webhook with all its retries, whatever its status. Throws `NOT_FOUND` if the account has no such job, and
 * `CONFLICT` if the job has not ended or has no webhook.
 */
export async function redeliverWebhook(
  request: ApiRequest,
  places: Places,
): Promise<ApiResponse<ResponseBody<typeof WebhookRedelivery>>> {
  const { account } = await authorize(request, "capture", places);
  const sent = rawOptions(request);
  parseNothing(sent);
  const ids = { account_id: account.id, id: parseId(request.pathParameters["id"] ?? "") };
  return runOnce({ request, accountId: account.id, sent, serve: () => redeliver(ids, request, places) }, places);
}

async function redeliver(
  ids: Pick<Job, "account_id" | "id">,
  request: ApiRequest,
  places: Places,
): Promise<ApiResponse<ResponseBody<typeof WebhookRedelivery>>> {
  for (;;) {
    const job = requireWebhook(await requestedJob(ids, request, places));
    const webhook = restartedWebhook(job.webhook);
    if (!(await replaceWebhook(places.ACTIVITY_TABLE, job, webhook))) continue; // another attempt changed it meanwhile
    const order = { kind: "deliver", account_id: job.account_id, job_id: job.id, round: webhook.round } as const;
    await enqueueDelivery(places.WEBHOOK_QUEUE_URL, order);
    return accepted(job, places);
  }
}

function requireWebhook(job: Job): Job & { readonly webhook: Webhook } {
  const { webhook } = job;
  if (!webhook) throw new ApiError("CONFLICT", "This capture has no webhook: it was requested without webhook_url.");
  if (hasEnded(job)) return { ...job, webhook };
  throw new ApiError("CONFLICT", `The capture is ${job.status}. Its webhook is sent when it has ended.`);
}

function accepted({ id }: Job, { BASE_URL }: Places): ApiResponse<ResponseBody<typeof WebhookRedelivery>> {
  const status_url = `${BASE_URL}/api/v1/screenshot/${id}`;
  const message = "The webhook will be redelivered. The status of the capture lists the delivery attempts.";
  return json(202, { message, request_id: id, status_url }, { Location: new URL(status_url).pathname });
}
