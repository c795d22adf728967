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
    expires_at: isoWithOffset(link.expiresAt),
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

/** Headers of an answer that carries a capture, as bytes or as JSON. */
export function captureHeaders(facts: CaptureFacts, serverTiming: string): Record<string, string> {
  return {
    "X-Request-Id": String(facts.requestId),
    "X-Response-Time": String(facts.responseTimeMs),
    "X-Cache": cacheUse(facts),
    ...(facts.finalUrl !== null && facts.finalUrl.length <= URL_MAX_CHARACTERS && { "X-Final-Url": facts.finalUrl }),
    ...metadataHeaders(facts),
    ...(facts.storageLocation !== undefined && { "X-Storage-Location": facts.storageLocation }),
    ...(facts.warnings.length > 0 && { "X-Warnings": encoded(facts.warnings.join(" "), WARNINGS_MAX_CHARACTERS) }),
    "Server-Timing": serverTiming,
  };
}

/** What `X-Cache` says: `BYPASS` where the cache was not asked for, `MISS` where it had nothing or was to be refreshed. */
function cacheUse({ usesCache, fromCache, isStale }: CaptureFacts): string {
  if (!usesCache) return "BYPASS";
  if (!fromCache) return "MISS";
  return isStale ? "STALE" : "HIT";
}

/** A page can lead to an address of two million characters; all headers of an answer together may have 10,240 bytes. */
const URL_MAX_CHARACTERS = 4_000;

function metadataHeaders({ metadata, statusCode }: CaptureFacts): Record<string, string> {
  const { page_title: title, image_size: size, http_response: response, blocked } = metadata;
  return {
    ...(title && { "X-Page-Title": encoded(title, TITLE_MAX_CHARACTERS) }),
    ...(size && { "X-Image-Width": String(size.width), "X-Image-Height": String(size.height) }),
    ...(response && statusCode !== null && { "X-Source-Status-Code": String(statusCode) }),
    ...(blocked && { "X-Blocked": inWords(blocked) }),
  };
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

/** ISO 8601 in UTC with an offset, to the second. `time` is milliseconds since 1970, rounded up to a whole second. */
function isoWithOffset(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString().replace(/\.\d{3}Z$/, "+00:00");
}
