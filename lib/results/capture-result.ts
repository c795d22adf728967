// What a capture gives back: the JSON result and the headers that accompany the bytes.

/** Facts of a finished capture, as the answer tells them. */
export interface CaptureFacts {
  readonly requestId: number;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  /** Whether it is taken anew, because what the cache had was beyond its time. */
  readonly isStale: boolean;
  /** Whether the cache was asked for. */
  readonly usesCache: boolean;
  readonly finalUrl: string | null;
  /** What was degraded, one sentence each. */
  readonly warnings: readonly string[];
  /** What the caller asked to be told about the page and its image. */
  readonly metadata: CaptureMetadata;
  readonly statusCode: number | null;
  /** Address of the object in the caller's own storage, where it is to be told. */
  readonly storageLocation?: string | undefined;
}

/** What headers can tell of it; the JSON result has all of it. */
export interface CaptureMetadata {
  readonly page_title?: string | null;
  readonly image_size?: { readonly width: number; readonly height: number };
  readonly http_response?: object | null;
  readonly blocked?: Blocked;
}

/** What was kept out of the page, or closed. */
export interface Blocked {
  readonly requests: number;
  readonly cookie_banner?: { readonly platform: string; readonly closed_by: string };
  readonly dialogs: number;
  readonly unlocked: boolean;
}

/** Why a stored result has no link any more. */
export const unavailableReasons = ["deleted", "expired"] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** Where something is stored, and until when, in milliseconds since 1970. */
export interface ResultLink {
  readonly url: string;
  readonly expiresAt: number;
}

/** A piece of a tall image, in pixels from its top. */
export interface SliceLink {
  readonly url: string;
  readonly top: number;
  readonly height: number;
  readonly sizeBytes: number;
}

/**
 * The JSON result: the seven fields of the interface, `metadata` and `slices` only when they were asked for, `warnings`
 * only when something was degraded.
 */
export function captureResult(
  facts: Omit<CaptureFacts, "usesCache" | "isStale" | "finalUrl" | "statusCode">,
  link: ResultLink,
  slices: readonly SliceLink[] = [],
): Record<string, unknown> {
  return {
    url: link.url,
    expires_at: timestampOfExpiry(link.expiresAt),
    mime_type: facts.mimeType,
    file_size_bytes: facts.sizeBytes,
    response_time_ms: facts.responseTimeMs,
    from_cache: facts.fromCache,
    request_id: facts.requestId,
    ...(Object.keys(facts.metadata).length > 0 && { metadata: facts.metadata }),
    ...(facts.storageLocation !== undefined && { storage_location: facts.storageLocation }),
    ...(slices.length > 0 && { slices: slices.map(sliceResult) }),
    ...(facts.warnings.length > 0 && { warnings: facts.warnings }),
  };
}

function sliceResult({ url, top, height, sizeBytes }: SliceLink) {
  return { url, top, height, file_size_bytes: sizeBytes };
}

/**
 * Headers of an answer that carries a capture, as bytes or as JSON. Where a page or a caller has made them longer than an
 * answer may have, the longest are left out; the JSON result has all of them.
 */
export function captureHeaders(facts: CaptureFacts, serverTiming: string): Record<string, string> {
  return {
    "X-Request-Id": String(facts.requestId),
    "X-Response-Time": String(facts.responseTimeMs),
    "X-Cache": cacheUse(facts),
    ...shortHeaders(facts),
    ...asFarAsThereIsRoom(longHeaders(facts)),
    "Server-Timing": serverTiming,
  };
}

/** What `X-Cache` says: `BYPASS` where the cache was not asked for, `MISS` where it had nothing or was to be refreshed. */
function cacheUse({ usesCache, fromCache, isStale }: CaptureFacts): string {
  if (!usesCache) return "BYPASS";
  if (!fromCache) return "MISS";
  return isStale ? "STALE" : "HIT";
}

function shortHeaders({ metadata, statusCode }: CaptureFacts): Record<string, string> {
  const { image_size: size, http_response: response, blocked } = metadata;
  return {
    ...(size && { "X-Image-Width": String(size.width), "X-Image-Height": String(size.height) }),
    ...(response && statusCode !== null && { "X-Source-Status-Code": String(statusCode) }),
    ...(blocked && { "X-Blocked": inWords(blocked) }),
  };
}

/** What may be missed least comes first. */
function longHeaders({ storageLocation, warnings, metadata, finalUrl }: CaptureFacts) {
  const { page_title: title } = metadata;
  return [
    ["X-Storage-Location", storageLocation],
    ["X-Warnings", warnings.length > 0 ? encoded(warnings.join(" "), WARNINGS_MAX_CHARACTERS) : undefined],
    ["X-Page-Title", title ? encoded(title, TITLE_MAX_CHARACTERS) : undefined],
    ["X-Final-Url", finalUrl !== null && finalUrl.length <= URL_MAX_CHARACTERS ? finalUrl : undefined],
  ] as const;
}

/** A page can lead to an address of two million characters. */
const URL_MAX_CHARACTERS = 4_000;

/**
 * Bytes for the long headers: all of an answer may have 10,240 together, of which `Content-Disposition` takes up to 2,100
 * and the others 1,100.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const LONG_HEADERS_MAX_BYTES = 7_000;

/** Whatever is not printable ASCII is left out as well: such an address is none that a browser shows. */
function asFarAsThereIsRoom(headers: ReturnType<typeof longHeaders>): Record<string, string> {
  let room = LONG_HEADERS_MAX_BYTES;
  const told = headers.flatMap(([name, value]) => {
    if (value === undefined || name.length + value.length > room || !/^[\x20-\x7e]*$/.test(value)) return [];
    room -= name.length + value.length;
    return [[name, value] as const];
  });
  return Object.fromEntries(told);
}

/** Such as `requests=12; cookie_banner=rejecting (OneTrust); dialogs=1; unlocked`; what did not happen is left out. */
function inWords({ requests, cookie_banner: banner, dialogs, unlocked }: Blocked): string {
  const parts = [
    `requests=${requests}`,
    ...(banner ? [`cookie_banner=${banner.closed_by} (${plain(banner.platform)})`] : []),
    ...(dialogs > 0 ? [`dialogs=${dialogs}`] : []),
    ...(unlocked ? ["unlocked"] : []),
  ];
  return parts.join("; ");
}

/** A name without what has a meaning in a header. */
function plain(name: string): string {
  return name.replace(/[^\x20-\x7e]|[;()]/g, "_").slice(0, NAME_MAX_CHARACTERS);
}

const NAME_MAX_CHARACTERS = 100;

const TITLE_MAX_CHARACTERS = 300;
const WARNINGS_MAX_CHARACTERS = 200;

/** Text can have any characters, a header few: it is percent-encoded, and cut, but not within a character. */
function encoded(text: string, longest: number): string {
  const beginning = text.toWellFormed().slice(0, longest);
  return encodeURIComponent(beginning.replace(/[\ud800-\udbff]$/, ""));
}

/** Value of Content-Disposition; the name in ASCII too, for old clients. See RFC 6266. */
export function contentDisposition(name: string | undefined): string {
  if (name === undefined) return "inline";
  // What would end the quotes, escape within them or be decoded by some clients is left to the name that is encoded.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const escaped = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${escaped}`;
}

/**
 * The end of a link as a timestamp in UTC, whose offset RFC 3339 writes as `Z`. `time` is milliseconds since 1970, rounded
 * up to the whole second at which the link expires.
 */
function timestampOfExpiry(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString();
}
