// What the owner of a job is told of it: by the status resource, and by the webhook.
import { type CaptureMetadata, captureResult, type UnavailableReason } from "../results/capture-result.ts";
import { createLinks, type StoredCapture } from "../results/stored-capture.ts";
import { nextAttempt, type Webhook } from "../webhooks/webhook.ts";
import type { Job, JobResult } from "./job.ts";

export interface JobView {
  /** What is kept of the result; undefined where there is none, or none any more. */
  readonly stored: StoredCapture | undefined;
  /** Where links lead, and what signs them. */
  readonly links: { readonly baseUrl: string; readonly secret: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The state of a job with its result or error. `url` is null once its link has expired or its result was deleted, and
 * `unavailable_reason` tells which; what was asked about the page is there for as long as the result.
 */
export function jobState(job: Job, view: JobView): Record<string, unknown> {
  return {
    request_id: job.id,
    status: job.status,
    created_at: job.created_at,
    finished_at: job.finished_at,
    external_identifier: job.external_identifier,
    ...(job.status === "success" && job.result && resultOf(job, job.result, view)),
    ...(job.status === "failed" && { error: job.error }),
    ...(job.webhook && { webhook: webhookState(job.webhook) }),
  };
}

function resultOf(job: Job, result: JobResult, { stored, links, now }: JobView): Record<string, unknown> {
  const facts = {
    requestId: job.id,
    mimeType: result.mime_type,
    sizeBytes: result.size_bytes,
    responseTimeMs: job.response_time_ms ?? 0,
    fromCache: job.from_cache ?? false,
    finalUrl: stored?.final_url ?? null,
    statusCode: stored?.status_code ?? null,
    warnings: stored?.warnings ?? [],
    metadata: (stored?.metadata ?? {}) as CaptureMetadata,
    storageLocation: stored?.storage_location,
  };
  const isThere = stored !== undefined && result.expires_at > now;
  const { link, slices } = isThere ? createLinks(stored, links) : GONE;
  const told = captureResult(facts, { ...link, expiresAt: result.expires_at }, slices);
  return isThere ? told : { ...told, url: null, unavailable_reason: unavailableReason(result, now) };
}

/** A result is there until it expires, unless it was deleted. */
function unavailableReason({ stored, expires_at }: JobResult, now: number): UnavailableReason {
  return stored !== null && expires_at <= now ? "expired" : "deleted";
}

const GONE = { link: { url: "" }, slices: [] };

function webhookState(webhook: Webhook) {
  const { status, deliveries } = webhook;
  const next = nextAttempt(webhook);
  return { status, deliveries, next_attempt_at: next === undefined ? null : new Date(next).toISOString() };
}
