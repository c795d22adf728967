// A capture that was returned as bytes, with what its headers say.
import type { Problem } from "./generated/types.ts";
import type { Received } from "./transport.ts";

/** What the headers of a capture say. */
export interface CaptureInfo {
  /** Such as `image/png`. */
  readonly mimeType: string;
  readonly requestId: number;
  /** Duration of the request in milliseconds. */
  readonly responseTimeMs: number;
  /** True if the result came from the cache. */
  readonly fromCache: boolean;
  /** URL of the page after redirects. Undefined for HTML and Markdown. */
  readonly finalUrl: string | undefined;
  /** How the result differs from what you requested. */
  readonly warnings: string | undefined;
  /** Codes of what looks wrong in the result, the worst first. `details(requestId)` says more. */
  readonly problems: readonly Problem["code"][];
  /** 100 minus what the problems take from it. Undefined without problems, unless the request asks for it. */
  readonly quality: number | undefined;
  /** All headers of the response, such as `X-Image-Width` with `metadata_image_size`. */
  readonly headers: Headers;
}

export interface Capture extends CaptureInfo {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The result as text, for `format` html, markdown, text, and json. */
  text(): string;
}

export function createCapture(received: Received): Capture {
  const { bytes } = received;
  return { bytes, ...readCaptureInfo(received), text: () => new TextDecoder().decode(bytes) };
}

export function readCaptureInfo({ headers }: Pick<Received, "headers">): CaptureInfo {
  const warnings = headers.get("x-warnings");
  return {
    mimeType: headers.get("content-type") ?? "",
    requestId: Number(headers.get("x-request-id")),
    responseTimeMs: Number(headers.get("x-response-time")),
    fromCache: /^(HIT|STALE)$/.test(headers.get("x-cache") ?? ""),
    finalUrl: headers.get("x-final-url") ?? undefined,
    warnings: warnings === null ? undefined : decodeURIComponent(warnings),
    problems: (headers.get("x-problems")?.split(/, */) ?? []) as Problem["code"][],
    quality: headers.has("x-quality") ? Number(headers.get("x-quality")) : undefined,
    headers,
  };
}
