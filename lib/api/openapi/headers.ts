// The headers of answers as OpenAPI shows them.
import type { JsonSchema } from "../../options/option.ts";

const header = (description: string, schema: JsonSchema = { type: "string" }) => ({ description, schema });

/** Components: every header that is told of. */
export const headers = {
  "X-Request-Id": header("Number of the request, also in logs and errors.", { type: "integer" }),
  "X-Response-Time": header("Milliseconds the request took.", { type: "integer" }),
  "X-Cache": header(
    "`HIT`: the result came from the cache. `STALE`: it did although its time is over, see `cache_stale_ttl`. `MISS`: " +
      "it was not there, or was to be taken anew. `BYPASS`: the cache was not asked for.",
    { type: "string", enum: ["HIT", "STALE", "MISS", "BYPASS"] },
  ),
  "X-Final-Url": header("Address of the page that was captured, after all redirects; absent for HTML and Markdown."),
  "Server-Timing": header("Milliseconds of each phase: auth, browser, navigate, settle, capture, encode, store."),
  "X-Page-Title": header("Title of the page, percent-encoded; with `metadata_page_title`."),
  "X-Image-Width": header("Width of the image or video in pixels; with `metadata_image_size`.", { type: "integer" }),
  "X-Image-Height": header("Height of the image or video in pixels; with `metadata_image_size`.", { type: "integer" }),
  "X-Source-Status-Code": header(
    "Status the page's own server answered; with `metadata_http_response_status_code` or " +
      "`metadata_http_response_headers`.",
    { type: "integer" },
  ),
  "X-Storage-Location": header("Address of the object in your own storage; with `storage_return_location`."),
  "X-Blocked": header(
    "What was kept out of the page, or closed, such as `requests=12; cookie_banner=rejecting (OneTrust); dialogs=1; " +
      "unlocked`; with `block_*`. The JSON result has it as `blocked` of its `metadata`.",
  ),
  "X-Warnings": header("What was degraded, percent-encoded and cut; the JSON result has all of it as `warnings`."),
  "Content-Disposition": header("`inline`, or `attachment` with the name of `attachment_name`."),
  "Accept-Ranges": header("`bytes`: `Range` is understood."),
  "Content-Range": header("Which bytes these are, and of how many; of a 416 only how many there are."),
  ETag: header("Fingerprint of the result, for `If-None-Match`."),
  "Idempotent-Replayed": header(
    "`true` where the answer is that of an earlier request with the same `Idempotency-Key`.",
    {
      type: "string",
      const: "true",
    },
  ),
  "WWW-Authenticate": header("`Bearer`."),
  "X-RateLimit-Limit": header("Requests that the account may send in any 60 seconds, with all its keys together.", {
    type: "integer",
  }),
  "X-RateLimit-Remaining": header("Requests that the account may still send now.", { type: "integer" }),
  "X-RateLimit-Reset": header("When more of them will be possible than now, in seconds since 1970.", {
    type: "integer",
  }),
  "Retry-After": header(
    "Seconds to wait before the next request. For the rate limit at most 61, because requests are counted by the whole second.",
    { type: "integer" },
  ),
  Location: header("Where a large stored result can be read, for a minute; of a capture in the background, its state."),
} as const;

export type HeaderName = keyof typeof headers;

/** The named headers, as an answer lists them. */
export function headerRefs(...names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What every answer carries. */
export const always = ["X-Request-Id", "X-Response-Time"] as const satisfies readonly HeaderName[];

/** What an answer carries to a request that counts for the rate limit. */
export const ofCounted = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

/** What an answer carries that has a capture, as bytes or as JSON. */
export const ofCaptures = [
  ...always,
  "X-Cache",
  "X-Final-Url",
  "Server-Timing",
  "X-Page-Title",
  "X-Image-Width",
  "X-Image-Height",
  "X-Source-Status-Code",
  "X-Storage-Location",
  "X-Blocked",
  "X-Warnings",
] as const satisfies readonly HeaderName[];
