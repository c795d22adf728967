// Conditional requests: 304 for a client that names the ETag in `If-None-Match` (RFC 9110, section 13.1.2).
import type { StreamedResponse } from "./response.ts";

/**
 * Replaces a response with 304 when the client has it already. A response without an ETag stays as it is. The content type stays:
 * API Gateway would add its own, which caches that merge headers would store with the result.
 */
export function notModifiedIfMatches<Json>(
  response: StreamedResponse<Json>,
  ifNoneMatch: string | undefined,
): StreamedResponse<Json> {
  const { ETag = "", ...headers } = response.headers ?? {};
  if (response.status !== 200 || ETag === "" || !notModified(ETag, ifNoneMatch)) return response;
  const replayed = Object.entries(headers).filter(([name]) => !/^content-(length|disposition)$/i.test(name));
  return { status: 304, headers: { ETag, ...Object.fromEntries(replayed) } };
}

/**
 * True when an `If-None-Match` header names the ETag. The comparison is weak: a result that a proxy compressed is still the
 * same.
 */
export function notModified(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, each]) => each === etag);
}
