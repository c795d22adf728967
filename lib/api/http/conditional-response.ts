// Answers to callers who have the result already and name it in `If-None-Match`. See RFC 9110, section 13.1.2.
import type { ApiResponse } from "./response.ts";

/** The answer without its bytes, where the caller has them already. Only an answer with an ETag can be had. */
export function notModifiedIfMatches<Json>(
  answer: ApiResponse<Json>,
  ifNoneMatch: string | undefined,
): ApiResponse<Json> {
  const { ETag = "", ...headers } = answer.headers ?? {};
  if (answer.status !== 200 || ETag === "" || !notModified(ETag, ifNoneMatch)) return answer;
  const kept = Object.entries(headers).filter(([name]) => !/^content-(type|length|disposition)$/i.test(name));
  return { status: 304, headers: { ETag, ...Object.fromEntries(kept) } };
}

/**
 * True where an `If-None-Match` header names the ETag. Compared weakly: what a proxy has compressed on the way is still the
 * same result.
 */
export function notModified(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, each]) => each === etag);
}
