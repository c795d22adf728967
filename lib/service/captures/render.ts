// Renders a capture in the browser, stores it where the caller wants it, and records the outcome.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { FollowingWork } from "../http/after-response.ts";
import { logInfo } from "../platform/log.ts";
import type { Renderer } from "../rendering/renderer.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { type CaptureRequest, type CaptureResources, elapsedMs } from "./capture-request.ts";
import { planThumbnail, storeThumbnail } from "./capture-thumbnail.ts";
import { endCapture } from "./commit.ts";
import type { Lease } from "./lease-store.ts";
import { type StoredResult, type StoreParts, saveToCustomerStorage, storeResult } from "./store-result.ts";

/** A capture, rendered or cached, with the facts that its response states. */
export interface RenderedCapture
  extends Pick<
    Capture,
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
    const rendered = await renderer.capture(engineOptions(request.options), { ...request, tenantId });
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
  readonly rendered: Capture;
  readonly result: StoredResult;
}

/** Stores a new capture wherever its request wants it. Throws as `storeResult` does. */
export async function keepCapture(rendered: Capture, parts: StoreParts, env: CaptureResources): Promise<KeptCapture> {
  const { beginFrameUnavailable: reason } = rendered;
  if (reason !== undefined) logInfo("begin-frame control unavailable", { request_id: parts.request.requestId, reason });
  return { rendered, result: await storeResult(rendered, parts, env) };
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
  const planned = planThumbnail(request, rendered, Date.now());
  const thumbnail = planned?.place;
  const stored = delivered.stored && { ...delivered.stored, ...(thumbnail && { thumbnail }) };
  const ended = { stored, sizeBytes, fromCache: false, report, thumbnail, page: rendered };
  const requestId = await endCapture(request, { result: ended, lease }, env);
  if (planned) afterResponse(() => storeThumbnail(env.RESULTS_BUCKET, planned), "thumbnail not stored");
  const facts = { requestId, responseTimeMs: elapsedMs(request), fromCache: false, staleSince: undefined, sizeBytes };
  return { ...rendered, ...facts, ...delivered, stored };
}
