// A capture without an API key, as the landing page makes it: its options, its limits, and the events of its response.
import type { ErrorCode } from "./errors/error-kinds.ts";

/** All options but the address, which is the only one that a visitor chooses. */
export const KEYLESS_OPTIONS = {
  format: "webp",
  viewport_height: 800,
  image_width: 640,
  block_ads: true,
  block_cookie_banners: true,
} as const;

/**
 * Captures of one network, a /24 of IPv4 or a /48 of IPv6, in an hour of the clock; and as many times, its visitors have a browser started
 * ahead of one.
 */
export const KEYLESS_CAPTURES_PER_HOUR = 10;

/** How long a picture answers further requests for its address, in seconds. */
export const KEYLESS_CACHE_S = 60 * 60;

/**
 * One line of the response, which is newline-delimited JSON: each phase as it starts, then the picture or the error. Times are
 * milliseconds since the request was received.
 */
export type KeylessEvent =
  | { readonly phase: string; readonly at_ms: number }
  | { readonly picture: KeylessPicture }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

export interface KeylessPicture {
  readonly mime_type: string;
  /** The bytes in Base64. */
  readonly data: string;
  readonly total_ms: number;
  /** When it was captured, as a timestamp. */
  readonly captured_at: string;
  readonly from_cache: boolean;
}
