// Creates a capture for an account: from the cache, from the same capture in flight, or by rendering it.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { FollowingWork } from "../http/after-response.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { acquireCached, type CachedCapture } from "./cache-lookup.ts";
import { type CaptureRequest, type CaptureResources, elapsedMs } from "./capture-request.ts";
import { wantsThumbnail } from "./capture-thumbnail.ts";
import { endCapture } from "./commit.ts";
import { heartbeat, releaseLease } from "./lease-store.ts";
import { type RenderedCapture, renderCapture } from "./render.ts";
import { requireSendable } from "./response-size.ts";
import { joinFlight } from "./single-flight.ts";

export interface CaptureParts {
  readonly renderer: Renderer;
  /** What the cache lookup found, which ran beside the admission of the request. */
  readonly cached: CachedCapture | undefined;
  readonly afterResponse: FollowingWork["afterResponse"];
}

/**
 * Answers a request from the cache, or renders its capture, and records it either way. Throws the `ApiError` of a capture
 * that failed once that is recorded, and `QUOTA_EXCEEDED` when nothing is left to render it.
 */
export async function createCapture(
  request: CaptureRequest,
  { renderer, cached, afterResponse }: CaptureParts,
  env: CaptureResources,
): Promise<RenderedCapture> {
  const hit = await acquireCached(cached, request, env);
  if (hit) return respondFromCache(request, hit, env);
  const { cache } = request;
  if (!cache || cache.isRefreshed) return renderCapture(request, { renderer, afterResponse }, env);
  const flight = await joinFlight(request, cache, env);
  if ("cached" in flight) return respondFromCache(request, flight.cached, env);
  using _ = heartbeat(flight.lease);
  try {
    return await renderCapture(request, { renderer, afterResponse, lease: flight.lease }, env);
  } catch (error) {
    // The record of the failure has released the lease, unless it could not be written; then it may expire.
    await releaseLease(flight.lease).catch(() => undefined);
    throw error;
  }
}

/** Records a cache hit, which is free, or throws `RESULT_TOO_LARGE` for one whose base64 text cannot be sent. */
export async function respondFromCache(
  request: CaptureRequest,
  { stored, freshUntil, staleSince, body }: CachedCapture,
  env: CaptureResources,
): Promise<RenderedCapture> {
  const { format, mime_type: mimeType, final_url: finalUrl, status_code: statusCode } = stored;
  const { warnings, problems = [], quality = 100, metadata, size_bytes: sizeBytes } = stored;
  try {
    requireSendable(request, sizeBytes);
  } catch (error) {
    if (error instanceof ApiError) await endCapture(request, { error }, env);
    throw error;
  }
  const page = { warnings, problems, finalUrl, metadata };
  const thumbnail = wantsThumbnail(request) ? stored.thumbnail : undefined; // of the capture that made the result
  const result = { stored, sizeBytes, fromCache: true, report: stored.report, thumbnail, page };
  const requestId = await endCapture(request, { result }, env);
  const facts = { format, mimeType, statusCode, ...page, quality, sizeBytes, body, stored };
  return { ...facts, requestId, responseTimeMs: elapsedMs(request), fromCache: true, freshUntil, staleSince };
}
