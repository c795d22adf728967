// What a capture gives back: the JSON result and the headers that accompany the bytes.

/** Facts of a finished capture, as the answer tells them. */
export interface CaptureFacts {
  readonly requestId: number;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  readonly finalUrl: string | null;
  /** What was degraded, one sentence each. */
  readonly warnings: readonly string[];
}

/** The JSON result: the seven fields of the interface, and `warnings` only when something was degraded. */
export function captureResult(facts: CaptureFacts, link: { url: string; expiresAt: number }): Record<string, unknown> {
  return {
    url: link.url,
    expires_at: isoWithOffset(link.expiresAt),
    mime_type: facts.mimeType,
    file_size_bytes: facts.sizeBytes,
    response_time_ms: facts.responseTimeMs,
    from_cache: facts.fromCache,
    request_id: facts.requestId,
    ...(facts.warnings.length > 0 && { warnings: facts.warnings }),
  };
}

/** Headers of an answer that carries a capture, as bytes or as JSON. */
export function captureHeaders(facts: CaptureFacts, serverTiming: string): Record<string, string> {
  return {
    "X-Request-Id": String(facts.requestId),
    "X-Response-Time": String(facts.responseTimeMs),
    "X-Cache": facts.fromCache ? "HIT" : "BYPASS",
    ...(facts.finalUrl !== null && { "X-Final-Url": facts.finalUrl }),
    "Server-Timing": serverTiming,
  };
}

/** ISO 8601 in UTC with an offset, to the second. `time` is milliseconds since 1970, rounded up to a whole second. */
function isoWithOffset(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString().replace(/\.\d{3}Z$/, "+00:00");
}
