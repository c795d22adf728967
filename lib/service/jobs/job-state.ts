// An asynchronous capture as the API answers it: in its status resource, and in its webhook.

import type { ErrorBody } from "../../contract/errors/error-response.ts";
import { type CaptureFacts, captureResult, statesQuality } from "../captures/capture-result.ts";
import { billedCredits, describeStored } from "../captures/describe-output.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { createLinks, type StoredCapture } from "../results/stored-capture.ts";
import { nextDeliveryAttempt, type Webhook } from "../webhooks/webhook.ts";
import { hasEnded, type Job, type JobOutput, type JobResult, webhookTarget } from "./job.ts";
import type { CaptureState, WebhookState } from "./responses.ts";

export type JobState = ResponseBody<typeof CaptureState>;

export interface JobView {
  /** The stored results by the index of their output. Those that are not available are absent. */
  readonly results: ReadonlyMap<number, StoredCapture>;
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
    ...currentPhase(job, view),
    created_at: job.created_at,
    finished_at: job.finished_at,
    external_identifier: job.external_identifier,
    page_url: job.request.url || null,
    format: job.outputs[0].format,
    webhook_target: webhookTarget(job),
    ...(job.cancel_requested_at !== null && { cancel_requested_at: job.cancel_requested_at }),
    ...(job.status === "failed" && job.error && { error: job.error as unknown as ErrorBody }), // stored as `errorBody` made it
    ...(hasEnded(job) && (job.outputs[0].group ? outputsState(job, view) : resultState(job, view))),
    ...(job.webhook && { webhook: webhookState(job.webhook) }),
  };
}

/** The phase of a job whose worker is alive, once its first heartbeat has stored one. */
function currentPhase({ status, lease }: Job, { now }: JobView): Pick<JobState, "phase"> {
  const isProcessing = status === "processing" && lease !== null && lease.until > now;
  return isProcessing && lease.phase !== undefined ? { phase: lease.phase } : {};
}

/** What a job with `outputs` has once it has ended. */
function outputsState(job: Job, view: JobView): Partial<JobState> {
  const successes = job.outputs.flatMap(({ format, outcome }) =>
    outcome?.result ? [{ format, fromCache: outcome.from_cache, expiresAt: outcome.result.expires_at }] : [],
  );
  const isTest = isTestCaller(job.request.caller);
  const expiry = Math.min(...successes.map(({ expiresAt }) => expiresAt));
  return {
    ...(successes.length > 0 && { expires_at: new Date(expiry).toISOString() }),
    ...(job.response_time_ms !== null && { response_time_ms: job.response_time_ms }),
    from_cache: job.from_cache ?? false,
    loads: job.loads,
    ...(isTest && { test: true as const }),
    outputs: job.outputs.flatMap((output, index) => outputState(job, { ...output, index }, view)),
    billed: billedCredits(successes, isTest),
  };
}

/** None for an output that has not ended. */
function outputState(
  job: Job,
  { index, group, outcome, ...output }: JobOutput & { readonly index: number },
  { results, links, now }: JobView,
): NonNullable<JobState["outputs"]> {
  if (!outcome) return [];
  const { result, error } = outcome;
  const facts = { name: group?.output ?? "", request_id: job.id + index };
  if (!result) return [{ ...facts, status: "failed", error: error as unknown as ErrorBody }]; // stored as `errorBody` made it
  const stored = result.expires_at > now ? results.get(index) : undefined;
  if (!stored) {
    const { mime_type, size_bytes: file_size_bytes } = result;
    const unavailable = { url: null, unavailable_reason: unavailableReason(result, now) };
    return [{ ...facts, status: "success", ...unavailable, mime_type, file_size_bytes }];
  }
  const { url } = createLinks(stored, links).link;
  const options = { ...job.request.options, ...output.options };
  return [describeStored(stored, { name: facts.name, requestId: facts.request_id, options, url })];
}

/** What a job without `outputs` has once it has succeeded. */
function resultState(job: Job, { results, links, now }: JobView): Partial<JobState> {
  const result = job.outputs[0].outcome?.result;
  if (!result) return {};
  const stored = results.get(0);
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
    storageError: stored?.storage_error,
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
  const next = nextDeliveryAttempt(webhook);
  return { status, receiver_id, deliveries, next_attempt_at: next === undefined ? null : new Date(next).toISOString() };
}
