// 202 Accepted: the response to a capture that was enqueued, with the address of its state.

import type { CaptureAccepted } from "../captures/responses.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import type { Job } from "./job.ts";

/** Address of the state of a job. */
export function statusUrl({ id }: Pick<Job, "id">, { BASE_URL }: Pick<Environment, "BASE_URL">): string {
  return `${BASE_URL}/api/v1/screenshot/${id}`;
}

/** The response to a capture that was enqueued as a job. */
export function acceptedResponse(
  job: Job,
  env: Pick<Environment, "BASE_URL">,
): ApiResponse<ResponseBody<typeof CaptureAccepted>> {
  const url = statusUrl(job, env);
  const body: ResponseBody<typeof CaptureAccepted> = {
    message: message(job),
    request_id: job.id,
    status: "queued",
    status_url: url,
    webhook_url: job.webhook?.url ?? null,
    webhook_receiver: job.webhook?.receiver_id ?? null,
  };
  return json(202, body, { Location: new URL(url).pathname, "X-Request-Id": String(job.id) });
}

function message({ webhook }: Pick<Job, "webhook">): string {
  if (!webhook) return "The capture is queued. Get its state from `status_url`.";
  const option = webhook.receiver_id === null ? "`webhook_url`" : "`webhook_receiver`";
  return `The capture is queued. Its result is sent to ${option}; get its state from \`status_url\`.`;
}
