// A capture that is to be taken in the background: accepted, and put where a function will take it.
import { randomBytes } from "node:crypto";
import { type ApiResponse, json } from "../api/http/response.ts";
import type { ResponseBody } from "../api/response-fields.ts";
import type { CaptureAccepted } from "../api/screenshot/responses.ts";
import { queueText } from "../aws/queue-text.ts";
import { plans } from "../billing/plans.ts";
import { ApiError } from "../errors/api-error.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { type JobMessage, MAX_INLINE_BYTES, sendJob } from "../jobs/job-queue.ts";
import { putJob, removeJob } from "../jobs/job-store.ts";
import { acquireSlot, type JobSlot, releaseSlot } from "../jobs/slot-store.ts";
import type { CaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { idTime } from "../platform/ids.ts";
import { resultPrefixes } from "../results/expiry.ts";
import type { WebhookSettings } from "../webhooks/webhook.ts";
import { JOB_RESERVED_MS, releaseReservation, requireQuota } from "./capture-admission.ts";
import { createLoggedRequest } from "./record-capture.ts";
import type { CaptureRequest } from "./render-capture.ts";

export type EnqueueResources = Pick<
  Environment,
  "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "RENDER_QUEUE_URL" | "BASE_URL"
>;

/**
 * Accepts a capture whose quota is reserved. Resolves to its job. Throws `RATE_LIMITED` where the account has as many
 * under way as its plan allows. Whatever fails leaves nothing behind, what was reserved neither.
 */
export async function enqueueCapture(order: CaptureRequest, places: EnqueueResources): Promise<Job> {
  requireQuota(order);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => releaseReservation(order, places));
  const slot = { accountId: order.caller.account.id, attempt: order.allowance.attempt };
  await holdSlot(order, slot, places);
  undo.defer(() => releaseSlot(places.USAGE_TABLE, slot));

  const options = await sendable(order.sent, places, undo);

  // The job comes first, so that whoever gets the message finds it.
  const job = await putJob(places.ACTIVITY_TABLE, jobOf(order));
  undo.defer(() => removeJob(places.ACTIVITY_TABLE, job));
  await sendJob(places.RENDER_QUEUE_URL, { account_id: job.account_id, job_id: job.id, options });
  undo.move();
  return job;
}

/** Where the state of a job is told. */
export function statusUrl({ id }: Pick<Job, "id">, { BASE_URL }: Pick<EnqueueResources, "BASE_URL">): string {
  return `${BASE_URL}/api/v1/screenshot/${id}`;
}

/** The answer to whoever asked for the job. */
export function accepted(
  job: Job,
  places: Pick<EnqueueResources, "BASE_URL">,
): ApiResponse<ResponseBody<typeof CaptureAccepted>> {
  const url = statusUrl(job, places);
  return json(
    202,
    {
      message: job.webhook
        ? "The capture is queued. Its outcome is sent to `webhook_url`; its state is told at `status_url`."
        : "The capture is queued. Its state is told at `status_url`.",
      request_id: job.id,
      status: "queued",
      status_url: url,
      webhook_url: job.webhook?.url ?? null,
    },
    { Location: new URL(url).pathname, "X-Request-Id": String(job.id) },
  );
}

async function holdSlot({ caller }: CaptureRequest, slot: JobSlot, { USAGE_TABLE }: EnqueueResources): Promise<void> {
  const now = Date.now();
  const limit = plans[caller.account.plan].concurrentJobs;
  const refused = await acquireSlot(USAGE_TABLE, slot, { limit, now, until: now + JOB_RESERVED_MS });
  if (!refused) return;
  const message =
    `The account has ${refused.taken} captures in the background that are waiting or under way; its plan allows ` +
    `${limit} at once. Try again in ${SLOT_FREE_S} s.`;
  throw new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(SLOT_FREE_S) } });
}

/** Nobody knows when a slot becomes free; a capture takes a few seconds. */
const SLOT_FREE_S = 10;

/** What is too large for a message is put into an object, which `undo` deletes. */
async function sendable(
  sent: CaptureRequest["sent"],
  { RESULTS_BUCKET }: EnqueueResources,
  undo: AsyncDisposableStack,
): Promise<JobMessage["options"]> {
  const text = queueText(sent);
  if (Buffer.byteLength(text) <= MAX_INLINE_BYTES) return { inline: { ...sent } };
  const { deleteResult, putResult } = await import("../results/result-store.ts"); // seldom needed, and much to load
  const object = `${resultPrefixes.options.name}/${randomBytes(24).toString("base64url")}`;
  await putResult(RESULTS_BUCKET, object, Buffer.from(text), {
    mimeType: "application/json",
    disposition: "attachment",
  });
  undo.defer(() => deleteResult(RESULTS_BUCKET, object));
  return { object };
}

function jobOf(order: CaptureRequest): Job {
  const { options } = order;
  return newJob({
    id: order.requestId,
    request: { ...createLoggedRequest(order), allowance: order.allowance },
    external_identifier: options.external_identifier ?? null,
    webhook: webhookTerms(options),
    now: idTime(order.requestId),
  });
}

function webhookTerms({ webhook_url, webhook_sign, webhook_errors }: CaptureOptions): WebhookSettings | null {
  return webhook_url === undefined
    ? null
    : { url: webhook_url.toWellFormed(), is_signed: webhook_sign, notifies_on_failure: webhook_errors };
}
