// Cache key: which captures have the same result, and for how long that result may be reused.
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { deliveryOptions } from "../../contract/options/groups/delivery.ts";
import { windowSize } from "../../contract/options/values/window-size.ts";
import { hashJson } from "../platform/hash-json.ts";
import { DEFAULT_LIFETIME_S, lifetimeClasses } from "../results/lifetime-class.ts";
import type { CacheAddress } from "./cache-store.ts";

/** How a capture uses the cache. */
export interface CachePolicy extends CacheAddress {
  /** Seconds for which the result is fresh. */
  readonly ttlSeconds: number;
  /** Seconds after those for which the stale result may be served while it is revalidated. */
  readonly staleSeconds: number;
  /** Seconds of staleness that this request accepts: none when it is asynchronous, since no client is waiting. */
  readonly toleratedSeconds: number;
  /** True when the cache is written but not read. */
  readonly isRefreshed: boolean;
  /** True where requests that wait for the result of another one get its error, too. False for outputs that are cached as a whole. */
  readonly sharesFailures: boolean;
}

type Name = keyof CaptureOptions;

/** The cache policy of an account's capture; undefined when it does not use the cache. */
export function cachePolicy(options: CaptureOptions, accountId: number): CachePolicy | undefined {
  const { cache_ttl: ttlSeconds, cache_stale_ttl: staleSeconds } = options;
  if (ttlSeconds === 0) return undefined;
  const parts = [
    RENDERER,
    accountId,
    options.cache_key ?? null,
    optionsOfTheResult(options),
    storedAttachmentName(options) ?? null,
  ];
  return {
    accountId,
    key: hashJson(parts),
    ttlSeconds,
    staleSeconds,
    toleratedSeconds: options.async ? 0 : staleSeconds,
    isRefreshed: options.cache_refresh,
    sharesFailures: true,
  };
}

/** True when a cached result may answer a request with these options. */
export function readsCache({ cache_ttl, cache_refresh }: CaptureOptions): boolean {
  return cache_ttl > 0 && !cache_refresh;
}

/** The file name that is stored with a result, because the client downloads it by a link; undefined when there is none. */
export function storedAttachmentName(options: CaptureOptions): string | undefined {
  return options.response_type === "json" || options.async ? options.attachment_name : undefined;
}

/** Version of the package with Chromium; a test compares it with the installed one. */
export const CHROMIUM = "153.0.0";
/** Increment when the same options begin to give another result. */
const PRODUCT_VERSION = 1;
/** A new renderer may paint a page differently, so it does not reuse older results. */
const RENDERER = `${PRODUCT_VERSION} chromium ${CHROMIUM}`;

/** They say how, when and to whom a result is delivered. `source` follows from the input. */
const deliveryNames = new Set<string>([...Object.keys(deliveryOptions), "response_type", "attachment_name", "source"]);

/** They decide whether there is a result, but not what it is. */
const timeoutNames = new Set<string>(["timeout", "navigation_timeout", "on_timeout"] satisfies Name[]);
const attemptNames = new Set<string>(["retry_on"] satisfies Name[]);

const addressNames = new Set<string>(["url", "base_url"] satisfies Name[]);

/** The options that determine the result: timeouts only when a page that is not ready is captured as it is. */
function optionsOfTheResult(options: CaptureOptions): Readonly<Record<string, unknown>> {
  const isTimed = options.on_timeout === "capture";
  const entries = Object.entries(withDefaultsAsSent(options)).filter(
    ([name]) => !deliveryNames.has(name) && !attemptNames.has(name) && (isTimed || !timeoutNames.has(name)),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, addressNames.has(name) ? new URL(String(value)).href : value]),
  );
}

/** A default that a caller may send is sent: it makes no other result. The window counts, and not the options that set it. */
function withDefaultsAsSent(options: CaptureOptions): CaptureOptions {
  const { width, height } = windowSize(options);
  const window = { viewport_width: width, viewport_height: height, video_aspect_ratio: undefined };
  return { ...options, ...window, media_type: options.media_type ?? "screen" };
}

/** A link to a cached result stays valid for at least this long. */
const LINK_MARGIN_S = 60 * 60;
const MAX_LIFETIME_S = Math.max(...lifetimeClasses.map(({ days }) => days)) * 24 * 60 * 60;

type Times = Pick<CachePolicy, "ttlSeconds" | "staleSeconds">;

/** Seconds for which a cached result is stored. */
export function cacheLifetimeSeconds({ ttlSeconds, staleSeconds }: Times): number {
  return Math.min(MAX_LIFETIME_S, Math.max(DEFAULT_LIFETIME_S, ttlSeconds + staleSeconds + LINK_MARGIN_S));
}

/**
 * When a result that is cached at `now` stops being fresh (`until`) and stops being served at all (`staleUntil`). It is
 * never served after `linksEnd`. All in milliseconds since 1970.
 */
export function cacheExpiry(
  { ttlSeconds, staleSeconds }: Times,
  linksEnd: number,
  now: number,
): { readonly until: number; readonly staleUntil: number } {
  const end = (seconds: number) => Math.min(now + seconds * 1000, linksEnd);
  return { until: end(ttlSeconds), staleUntil: end(ttlSeconds + staleSeconds) };
}
