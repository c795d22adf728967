// Renders a capture in the browser, stores it where the caller wants it, and records the outcome.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import type { FollowingWork } from "../http/after-response.ts";
import { logError, logInfo } from "../platform/log.ts";
import type { Rendered, Renderer } from "../rendering/renderer.ts";
import { objectKeys, type StoredCapture } from "../results/stored-capture.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { type CaptureRequest, type CaptureResources, elapsedMs } from "./capture-request.ts";
import { planThumbnail, storeThumbnail, wantsThumbnail } from "./capture-thumbnail.ts";
import { endCapture } from "./commit.ts";
import type { Lease } from "./lease-store.ts";
import { type StoredResult, type StoreParts, saveToCustomerStorage, storeResult } from "./store-result.ts";

/** A capture, rendered or cached, with the facts that its response states. */
export interface RenderedCapture
  extends Pick<
    Rendered,
    "format" | "mimeType" | "finalUrl" | "statusCode" | "warnings" | "problems" | "quality" | "metadata"
  > {
  /** Id of its log. */
  readonly requestId: number;
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  /** Until when a cached result is fresh, in milliseconds since 1970; undefined for a new one. */
  readonly freshUntil?: number;
  /** Since when a cached result is stale, in milliseconds since 1970; undefined while it is fresh. */
  readonly staleSince: number | undefined;
  readonly sizeBytes: number;
  /** Undefined for a stored result whose bytes are not part of the response: a link stands for them. */
  readonly body: Buffer | undefined;
  /** The stored result, if it is stored. */
  readonly stored: StoredCapture | undefined;
  /** Its address in the customer's storage, if `storage_return_location` asks for it. */
  readonly storageLocation?: string;
  /** Why the customer's storage may not have it, although bytes of it were sent there. */
  readonly storageError?: ApiError;
}

export interface RenderParts {
  readonly renderer: Renderer;
  readonly afterResponse: FollowingWork["afterResponse"];
  /** The lease of its cache key, which is released with its record. */
  readonly lease?: Lease;
}

/**
 * Renders a capture and records it. Throws `QUOTA_EXCEEDED` when nothing is left, and the `ApiError` of a capture that
 * failed once that is recorded. That of a job which is retried or cancelled is not recorded here.
 */
export async function renderCapture(
  request: CaptureRequest,
  { renderer, afterResponse, lease }: RenderParts,
  env: CaptureResources,
): Promise<RenderedCapture> {
  request.reservation.require();
  request.job?.cancellation.throwIfAborted();
  let kept: KeptCapture;
  try {
    const save = saveToCustomerStorage(request); // refuses an address before anything is rendered
    const tenantId = String(request.caller.account.id);
    const requested = { options: engineOptions(request.options), thumbnail: wantsThumbnail(request) };
    const rendered = await renderer.capture(requested, { ...request, tenantId });
    kept = await keepCapture(rendered, { request, save }, env);
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    const { job } = request;
    const isEndedByJob = job !== undefined && (error.blame === "us" || job.cancellation.aborted);
    if (!isEndedByJob) await endCapture(request, { error, lease }, env);
    throw error;
  }
  return endRendered(kept, { request, afterResponse, lease }, env);
}

/** A new capture, and where it is stored. */
export interface KeptCapture {
  readonly rendered: Rendered;
  readonly result: StoredResult;
}

/** Stores a new capture wherever its request wants it. Throws as `storeResult` does. */
export async function keepCapture(rendered: Rendered, parts: StoreParts, env: CaptureResources): Promise<KeptCapture> {
  const { beginFrameUnavailable: reason } = rendered;
  if (reason !== undefined) logInfo("begin-frame control unavailable", { request_id: parts.request.requestId, reason });
  const result = await storeResult(rendered, parts, env);
  const { stored, storageError } = result;
  if (!storageError) return { rendered, result };
  const warnings = [...rendered.warnings, storageError.message];
  return { rendered: { ...rendered, warnings }, result: { ...result, stored: stored && { ...stored, warnings } } };
}

export interface EndParts {
  readonly request: CaptureRequest;
  readonly afterResponse: FollowingWork["afterResponse"];
  readonly lease?: Lease | undefined;
}

/** Records a capture that succeeded; its thumbnail follows the response. */
export async function endRendered(
  { rendered, result }: KeptCapture,
  { request, afterResponse, lease }: EndParts,
  env: CaptureResources,
): Promise<RenderedCapture> {
  const sizeBytes = rendered.body.length;
  const { report, ...delivered } = result;
  const planned = planThumbnail(rendered, Date.now());
  const thumbnail = planned?.place;
  const stored = delivered.stored && { ...delivered.stored, ...(thumbnail && { thumbnail }) };
  const ended = { stored, sizeBytes, fromCache: false, report, thumbnail, page: rendered };
  let requestId: number;
  try {
    requestId = await endCapture(request, { result: ended, lease }, env);
  } catch (error) {
    // Another worker, or no one any more, has the job. The thumbnail is only stored once the capture is recorded.
    if (error instanceof NotRecordedError && delivered.stored) await discard(delivered.stored, env);
    throw error;
  }
  if (planned) afterResponse(() => storeThumbnail(env.RESULTS_BUCKET, planned), "thumbnail not stored");
  const facts = { requestId, responseTimeMs: elapsedMs(request), fromCache: false, staleSince: undefined, sizeBytes };
  const { format, mimeType, finalUrl, statusCode, warnings, problems, quality, metadata } = rendered;
  const stated = { format, mimeType, finalUrl, statusCode, warnings, problems, quality, metadata };
  return { ...stated, ...facts, ...delivered, stored };
}

/** Deletes what was stored of a capture to which nothing refers. Never rejects: the objects expire. */
async function discard(stored: StoredCapture, { RESULTS_BUCKET }: CaptureResources): Promise<void> {
  const { deleteResult } = await import("../results/result-store.ts");
  const deletions = objectKeys(stored).map((key) => deleteResult(RESULTS_BUCKET, key));
  await Promise.all(deletions).catch((error) => logError("unrecorded result not deleted", error, { key: stored.key }));
}
