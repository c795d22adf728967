// The response headers in the OpenAPI document.
import type { JsonSchema } from "../../contract/options/option.ts";

const header = (description: string, schema: JsonSchema = { type: "string" }) => ({ description, schema });

/** All response headers, by name. */
export const headers = {
  "X-Request-Id": header("The request number. Logs and errors contain it, too.", { type: "integer" }),
  "X-Response-Time": header("Duration of the request in milliseconds.", { type: "integer" }),
  "X-Cache": header(
    "- `HIT`: the result came from the cache.\n- `STALE`: the result came from the cache after its TTL; see " +
      "`cache_stale_ttl`.\n- `MISS`: the result wasn't cached, or `cache_refresh` was set.\n- `BYPASS`: the request didn't " +
      "use the cache.",
    { type: "string", enum: ["HIT", "STALE", "MISS", "BYPASS"] },
  ),
  "Cache-Control": header(
    "For signed links with `cache_ttl`: the rest of the cache's time, for which browsers keep the result. For thumbnails: a day, or until " +
      "they expire.",
  ),
  "X-Error-Code": header("Code of the error that `fallback_image` stands for."),
  "X-Final-Url": header("URL of the captured page after redirects. Absent for HTML and Markdown."),
  "Server-Timing": header(
    'Milliseconds of each phase: auth, browser, navigate, settle, capture, encode, store. `settle;desc="virtual time"` means that ' +
      'waits of the page took less than their time. `browser;desc="ready"` means ' +
      "that the browser had been launched before the request.",
  ),
  "X-Page-Title": header("Title of the page, percent-encoded. Set with `metadata_page_title`."),
  "X-Image-Width": header("Width of the image or video in pixels. Set with `metadata_image_size`.", {
    type: "integer",
  }),
  "X-Image-Height": header("Height of the image or video in pixels. Set with `metadata_image_size`.", {
    type: "integer",
  }),
  "X-Source-Status-Code": header(
    "HTTP status code of the page. Set with `metadata_http_response_status_code` or `metadata_http_response_headers`.",
    { type: "integer" },
  ),
  "X-Storage-Error": header(
    "`STORAGE_FAILED` if the upload to your bucket failed after bytes of the result were sent. The capture counts; `X-Warnings` says why " +
      "the upload failed. In JSON results: `storage_error`.",
  ),
  "X-Storage-Location": header("URL of the object in your bucket. Set with `storage_return_location`."),
  "X-Blocked": header(
    "What was blocked, closed, or hidden, for example `requests=12; cookie_banner=rejecting (OneTrust); dialogs=1; " +
      "unlocked`. Set with the `block_*` options. In JSON results: `metadata.blocked`.",
  ),
  "X-Warnings": header(
    "How the result differs from what you requested, percent-encoded and truncated. JSON results have all `warnings`.",
  ),
  "X-Problems": header(
    "Codes of what looks wrong in the result, the worst first, separated by commas. JSON results have all `problems`.",
  ),
  "X-Quality": header(
    "100 minus what the problems take from it. Set if there are problems, or with `min_quality` or `metadata_report`.",
    {
      type: "integer",
    },
  ),
  "Content-Disposition": header("`inline`, or `attachment` with the file name of `attachment_name`."),
  "Accept-Ranges": header("`bytes`: the header `Range` is supported."),
  "Content-Range": header("The range of bytes, and the size of the result. With status 416, only the size."),
  ETag: header(
    "Identifies this version of the result, for `If-None-Match`. It is weak (`W/`) if the response is compressed.",
  ),
  "Idempotent-Replayed": header(
    "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    {
      type: "string",
      const: "true",
    },
  ),
  "x-amzn-Remapped-WWW-Authenticate": header("`Bearer`: API Gateway sends `WWW-Authenticate` under this name."),
  "X-Quota-Remaining": header(
    "Number of captures that remain after this one of the quota that it counts against, screenshots or videos, or of the `monthly_limit` " +
      "of the API key if that has one. 0 on a plan that continues beyond its quota means that further captures are charged. With " +
      "`outputs`, the lowest of the quotas. For keys for tests, that of today's tests.",
    { type: "integer" },
  ),
  "X-RateLimit-Cost": header(
    "How many requests this one counted as: 1, or with `outputs` one for each load of the page that they need, but never more than the " +
      "limit. In a bulk request, that of the last capture.",
    { type: "integer" },
  ),
  "X-RateLimit-Limit": header("Number of requests the account can send in any 60 seconds, with all its API keys.", {
    type: "integer",
  }),
  "X-RateLimit-Remaining": header("Number of requests the account can send now.", { type: "integer" }),
  "X-RateLimit-Reset": header("When the number of remaining requests next increases, in seconds since 1970.", {
    type: "integer",
  }),
  "Retry-After": header(
    "Seconds to wait before you retry. At most 61 for the rate limit, which counts whole seconds.",
    {
      type: "integer",
    },
  ),
  Location: header(
    "URL of a large result: its signed link, or its place in the bucket, valid for one minute. Or of the status of an asynchronous capture.",
  ),
} as const;

export type HeaderName = keyof typeof headers;

/** References to the named headers. */
export function headerRefs(...names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of every response. */
export const standardHeaders = ["X-Request-Id", "X-Response-Time"] as const satisfies readonly HeaderName[];

/** Headers of the response to a request that counts for the rate limit. */
export const rateLimitHeaderSchemas = [
  "X-RateLimit-Cost",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

/** Headers of a response with a capture, as bytes or as JSON. */
export const captureHeaderSchemas = [
  ...standardHeaders,
  "X-Cache",
  "X-Quota-Remaining",
  "X-Final-Url",
  "Server-Timing",
  "X-Page-Title",
  "X-Image-Width",
  "X-Image-Height",
  "X-Source-Status-Code",
  "X-Storage-Location",
  "X-Storage-Error",
  "X-Blocked",
  "X-Warnings",
  "X-Problems",
  "X-Quality",
] as const satisfies readonly HeaderName[];
