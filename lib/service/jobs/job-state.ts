// An asynchronous capture as the API answers it: in its status resource, and in its webhook.

import type { ErrorBody } from "../../contract/errors/error-response.ts";
import { statesQuality } from "../captures/capture-response.ts";
import { type CaptureFacts, captureResult } from "../captures/capture-result.ts";
import { isTestCaller } from "../captures/mark-capture.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { createLinks, type StoredCapture } from "../results/stored-capture.ts";
import { nextAttempt, type Webhook } from "../webhooks/webhook.ts";
import { type Job, type JobResult, webhookTarget } from "./job.ts";
import type { CaptureState, WebhookState } from "./responses.ts";

type JobState = ResponseBody<typeof CaptureState>;

export interface JobView {
  /** The stored capture; undefined if there is none, or none any more. */
  readonly stored: StoredCapture | undefined;
  /** The base URL of links, and the secret that signs them. */
  readonly links: { readonly baseUrl: string; readonly secret: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The state of a job with its result or error. Once the result has expired or was deleted, `url` is null,
 * `unavailable_reason` says why, and the metadata is gone, too.
 */
export function jobState(job: Job, view: JobView): JobState {
  return {
    request_id: job.id,
    status: job.status,
    created_at: job.created_at,
    finished_at: job.finished_at,
    external_identifier: job.external_identifier,
    page_url: job.request.url || null,
    format: job.request.format,
    webhook_target: webhookTarget(job),
    ...(job.cancel_requested_at !== null && { cancel_requested_at: job.cancel_requested_at }),
    ...(job.status === "success" && job.result && resultState(job, job.result, view)),
    ...(job.status === "failed" && job.error && { error: job.error as unknown as ErrorBody }), // stored as `errorBody` made it
    ...(job.webhook && { webhook: webhookState(job.webhook) }),
  };
}

function resultState(job: Job, result: JobResult, { stored, links, now }: JobView): Partial<JobState> {
  const facts = {
    requestId: job.id,
    mimeType: result.mime_type,
    sizeBytes: result.size_bytes,
    responseTimeMs: job.response_time_ms ?? 0,
    fromCache: job.from_cache ?? false,
    isTest: isTestCaller(job.request.caller),
    finalUrl: stored?.final_url ?? null,
    statusCode: stored?.status_code ?? null,
    warnings: stored?.warnings ?? [],
    problems: stored?.problems ?? [],
    quality: stored?.quality ?? 100,
    statesQuality: stored !== undefined && statesQuality(job.request.options),
    metadata: (stored?.metadata ?? {}) as CaptureFacts["metadata"],
    storageLocation: stored?.storage_location,
  };
  const isAvailable = stored !== undefined && result.expires_at > now;
  const { link, slices } = isAvailable ? createLinks(stored, links) : NO_LINKS;
  const body = captureResult(facts, { ...link, expiresAt: result.expires_at }, slices);
  return isAvailable ? body : { ...body, url: null, unavailable_reason: unavailableReason(result, now) };
}

/** A result is available until it expires, unless it was deleted. */
function unavailableReason(
  { stored, expires_at }: JobResult,
  now: number,
): NonNullable<JobState["unavailable_reason"]> {
  return stored !== null && expires_at <= now ? "expired" : "deleted";
}

const NO_LINKS = { link: { url: "" }, slices: [] };

function webhookState(webhook: Webhook): ResponseBody<typeof WebhookState> {
  const { status, receiver_id, deliveries } = webhook;
  const next = nextAttempt(webhook);
  return { status, receiver_id, deliveries, next_attempt_at: next === undefined ? null : new Date(next).toISOString() };
}
