// Creates a capture for an account: from the cache, from the same capture in flight, or by rendering it.

import { ApiError } from "../../contract/errors/api-error.ts";
import { acquireCached, type CachedCapture } from "./cache-lookup.ts";
import type { CaptureBrowser } from "./capture-browser.ts";
import { type CaptureRequest, type CaptureResources, elapsedMs } from "./capture-request.ts";
import { heartbeat, releaseLease } from "./lease-store.ts";
import { recordCacheHit, recordFailure } from "./record.ts";
import { type RenderedCapture, renderCapture } from "./render.ts";
import { requireSendable } from "./response-size.ts";
import { joinFlight } from "./single-flight.ts";

export interface CaptureParts {
  readonly browser: CaptureBrowser;
  /** What the cache lookup found, which ran beside the admission of the request. */
  readonly cached: CachedCapture | undefined;
}

/**
 * Answers a request from the cache, or renders its capture, and records it either way. Throws the `ApiError` of a capture
 * that failed once that is recorded, and `QUOTA_EXCEEDED` when nothing is left to render it.
 */
export async function createCapture(
  request: CaptureRequest,
  { browser, cached }: CaptureParts,
  env: CaptureResources,
): Promise<RenderedCapture> {
  const hit = await acquireCached(cached, request, env);
  if (hit) return respondFromCache(request, hit, env);
  const { cache } = request;
  if (!cache || cache.isRefreshed) return renderCapture(request, { browser }, env);
  const flight = await joinFlight(request, cache, env);
  if ("cached" in flight) return respondFromCache(request, flight.cached, env);
  using _ = heartbeat(flight.lease);
  try {
    return await renderCapture(request, { browser, lease: flight.lease }, env);
  } catch (error) {
    // The record of the failure has released the lease, unless it could not be written; then it may expire.
    await releaseLease(flight.lease).catch(() => undefined);
    throw error;
  }
}

/** Records and throws `RESULT_TOO_LARGE` for a cached result whose base64 text cannot be sent. */
async function requireSendableHit(
  request: CaptureRequest,
  { size_bytes }: CachedCapture["stored"],
  env: CaptureResources,
): Promise<void> {
  try {
    requireSendable(request, size_bytes);
  } catch (error) {
    if (error instanceof ApiError) await recordFailure(request, { error }, env);
    throw error;
  }
}

/** Records a cache hit, which is free. */
async function respondFromCache(
  request: CaptureRequest,
  { stored, freshUntil, staleSince, body }: CachedCapture,
  env: CaptureResources,
): Promise<RenderedCapture> {
  await requireSendableHit(request, stored, env);
  const requestId = await recordCacheHit(request, stored, env);
  return {
    format: stored.format,
    mimeType: stored.mime_type,
    finalUrl: stored.final_url,
    statusCode: stored.status_code,
    warnings: stored.warnings,
    metadata: stored.metadata,
    sizeBytes: stored.size_bytes,
    body,
    stored,
    requestId,
    responseTimeMs: elapsedMs(request),
    fromCache: true,
    freshUntil,
    staleSince,
  };
}
