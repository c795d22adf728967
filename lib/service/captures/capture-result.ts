// A capture as the API answers it: the JSON result, and the headers that accompany JSON and bytes alike.

import type { Problem } from "../../contract/problems/problem.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { ResultLink, SliceLink } from "../results/stored-capture.ts";
import type { CaptureMetadataResponse } from "./metadata-responses.ts";
import type { CaptureResult } from "./responses.ts";

/** Facts of a finished capture. */
export interface CaptureFacts {
  readonly requestId: number;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  /** True for a cached result past its TTL, which is being captured again. */
  readonly isStale: boolean;
  /** True if the request uses the cache. */
  readonly usesCache: boolean;
  /** True for a capture with an API key for tests, whose result carries a mark. */
  readonly isTest: boolean;
  readonly finalUrl: string | null;
  /** How the result differs from the request, one sentence each. */
  readonly warnings: readonly string[];
  /** What looks wrong in the result, the worst first. */
  readonly problems: readonly Problem[];
  /** 0 to 100. */
  readonly quality: number;
  /** True if the quality is stated although there are no problems. */
  readonly statesQuality: boolean;
  /** The metadata that the request asks for. */
  readonly metadata: ResponseBody<typeof CaptureMetadataResponse>;
  readonly statusCode: number | null;
  /** URL of the object in the customer's bucket, if the request asks for it. */
  readonly storageLocation?: string | undefined;
  /** Why the customer's storage may not have the object, although bytes of it were sent. */
  readonly storageError?: { readonly code: string; readonly message: string } | undefined;
}

/**
 * The JSON result. Fields that do not apply are absent: `test`, `metadata`, `storage_location`, `storage_error`, `slices`, `warnings`,
 * `problems` and `quality`.
 */
export function captureResult(
  facts: Omit<CaptureFacts, "usesCache" | "isStale" | "finalUrl" | "statusCode">,
  link: ResultLink,
  slices: readonly SliceLink[] = [],
): ResponseBody<typeof CaptureResult> {
  return {
    url: link.url,
    expires_at: expiryTimestamp(link.expiresAt),
    mime_type: facts.mimeType,
    file_size_bytes: facts.sizeBytes,
    response_time_ms: facts.responseTimeMs,
    from_cache: facts.fromCache,
    request_id: facts.requestId,
    ...(facts.isTest && { test: true }),
    ...(Object.keys(facts.metadata).length > 0 && { metadata: facts.metadata }),
    ...(facts.storageLocation !== undefined && { storage_location: facts.storageLocation }),
    ...(facts.storageError && { storage_error: describeStorageError(facts.storageError) }),
    ...(slices.length > 0 && { slices: slices.map(toSlice) }),
    ...(facts.warnings.length > 0 && { warnings: facts.warnings }),
    ...(facts.problems.length > 0 && { problems: [...facts.problems] }),
    ...((facts.problems.length > 0 || facts.statesQuality) && { quality: facts.quality }),
  };
}

/** Only the fields of an `ApiError` that the response has. */
function describeStorageError({ code, message }: NonNullable<CaptureFacts["storageError"]>) {
  return { code, message };
}

function toSlice({ url, top, height, sizeBytes }: SliceLink) {
  return { url, top, height, file_size_bytes: sizeBytes };
}

/**
 * Headers of a response with a capture, as bytes or as JSON. Headers that do not fit into the 10,240 bytes of a response are
 * left out, the least important first; the JSON result has all of their values.
 */
export function captureHeaders(facts: CaptureFacts, serverTiming: string): Record<string, string> {
  return {
    "X-Request-Id": String(facts.requestId),
    "X-Response-Time": String(facts.responseTimeMs),
    "X-Cache": cacheStatus(facts),
    ...shortHeaders(facts),
    ...fittingHeaders(longHeaders(facts)),
    "Server-Timing": serverTiming,
  };
}

/** `BYPASS` if the request does not use the cache, `MISS` if nothing was cached or `cache_refresh` is set. */
export function cacheStatus({
  usesCache,
  fromCache,
  isStale,
}: Pick<CaptureFacts, "usesCache" | "fromCache" | "isStale">): string {
  if (!usesCache) return "BYPASS";
  if (!fromCache) return "MISS";
  return isStale ? "STALE" : "HIT";
}

function shortHeaders({
  metadata,
  statusCode,
  problems,
  quality,
  statesQuality,
  storageError,
}: CaptureFacts): Record<string, string> {
  const { image_size: size, http_response: response, blocked } = metadata;
  return {
    ...(size && { "X-Image-Width": String(size.width), "X-Image-Height": String(size.height) }),
    ...(response && statusCode !== null && { "X-Source-Status-Code": String(statusCode) }),
    ...(blocked && { "X-Blocked": blockedSummary(blocked) }),
    ...(storageError && { "X-Storage-Error": storageError.code }),
    ...(problems.length > 0 && { "X-Problems": problems.map(({ code }) => code).join(", ") }),
    ...((problems.length > 0 || statesQuality) && { "X-Quality": String(quality) }),
  };
}

/** Headers of any length, the most important first. */
function longHeaders({ storageLocation, warnings, metadata, finalUrl }: CaptureFacts) {
  const { page_title: title } = metadata;
  return [
    ["X-Storage-Location", storageLocation],
    ["X-Warnings", warnings.length > 0 ? percentEncoded(warnings.join(" "), MAX_WARNINGS_CHARACTERS) : undefined],
    ["X-Page-Title", title ? percentEncoded(title, MAX_TITLE_CHARACTERS) : undefined],
    ["X-Final-Url", finalUrl !== null && finalUrl.length <= MAX_URL_CHARACTERS ? finalUrl : undefined],
  ] as const;
}

/** A page can redirect to a URL of two million characters. */
const MAX_URL_CHARACTERS = 4_000;

/**
 * Bytes for the long headers. API Gateway allows 10,240 bytes for all headers of a response, of which `Content-Disposition`
 * takes up to 2,100 and the others 1,100.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const MAX_LONG_HEADERS_BYTES = 7_000;

/** Also leaves out values with characters other than printable ASCII: no browser produces such a URL. */
function fittingHeaders(headers: ReturnType<typeof longHeaders>): Record<string, string> {
  let remainingBytes = MAX_LONG_HEADERS_BYTES;
  const fitting = headers.flatMap(([name, value]) => {
    if (value === undefined || name.length + value.length > remainingBytes || !/^[\x20-\x7e]*$/.test(value)) return [];
    remainingBytes -= name.length + value.length;
    return [[name, value] as const];
  });
  return Object.fromEntries(fitting);
}

/** For example `requests=12; cookie_banner=rejecting (OneTrust); dialogs=1; unlocked`. Leaves out what did not happen. */
function blockedSummary({
  requests,
  cookie_banner: banner,
  dialogs,
  unlocked,
}: NonNullable<CaptureFacts["metadata"]["blocked"]>): string {
  const parts = [
    `requests=${requests}`,
    ...(banner ? [`cookie_banner=${banner.closed_by} (${headerSafe(banner.platform)})`] : []),
    ...(dialogs > 0 ? [`dialogs=${dialogs}`] : []),
    ...(unlocked ? ["unlocked"] : []),
  ];
  return parts.join("; ");
}

/** Replaces characters with a meaning in the header. */
function headerSafe(name: string): string {
  return name.replace(/[^\x20-\x7e]|[;()]/g, "_").slice(0, MAX_NAME_CHARACTERS);
}

const MAX_NAME_CHARACTERS = 100;
const MAX_TITLE_CHARACTERS = 300;
const MAX_WARNINGS_CHARACTERS = 200;

/** Text as a header can hold it, truncated to `maxCharacters` but never within a surrogate pair. */
function percentEncoded(text: string, maxCharacters: number): string {
  const beginning = text.toWellFormed().slice(0, maxCharacters);
  return encodeURIComponent(beginning.replace(/[\ud800-\udbff]$/, ""));
}

/** The expiry of a link (milliseconds since 1970) as a timestamp in UTC, rounded up to the second at which it expires. */
function expiryTimestamp(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString();
}

/** True where the quality of a capture without problems is stated, too. */
export function statesQuality(options: Readonly<Record<string, unknown>>): boolean {
  return options["min_quality"] !== undefined || options["metadata_report"] === true;
}
