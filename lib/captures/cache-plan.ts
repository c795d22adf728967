// Whether a capture may be answered from the cache, and under which name it is kept there.
import type { CaptureOptions } from "../options/capture-options.ts";
import { DEFAULT_CACHE_TTL_S, deliveryOptions } from "../options/groups/delivery.ts";
import { DEFAULT_LIFETIME_S, lifetimeClasses } from "../results/expiry.ts";
import { fingerprint } from "./fingerprint.ts";
import { RENDERER } from "./renderer-version.ts";

/** How the cache is used for a capture. */
export interface CachePlan {
  /** The same for all captures that have the same result. */
  readonly hash: string;
  /** Seconds for which the result answers later requests. */
  readonly ttlSeconds: number;
  /** Seconds after those for which it still does, while it is taken anew. */
  readonly staleSeconds: number;
  /** For how many seconds what is found may have been stale: not at all in the background, where nobody waits. */
  readonly toleratedSeconds: number;
  /** True where the cache is not asked, only written. */
  readonly isRefreshed: boolean;
}

type Name = keyof CaptureOptions;

/** The plan of an account's capture, undefined where it does not use the cache. */
export function cachePlan(options: CaptureOptions, accountId: number): CachePlan | undefined {
  const ttlSeconds = options.cache_ttl ?? (options.cache ? DEFAULT_CACHE_TTL_S : 0);
  if (ttlSeconds === 0) return undefined;
  const staleSeconds = options.cache_stale_ttl ?? 0;
  return {
    hash: fingerprint([RENDERER, accountId, options.cache_key ?? null, effective(options), cacheName(options) ?? null]),
    ttlSeconds,
    staleSeconds,
    toleratedSeconds: options.async ? 0 : staleSeconds,
    isRefreshed: options.cache_refresh,
  };
}

/** The name under which a stored result is handed out: it belongs to the object, where the caller is given a link to it. */
export function cacheName(options: CaptureOptions): string | undefined {
  return options.response_type === "json" || options.async ? options.attachment_name : undefined;
}

/** Links to what is cached shortly before its end still work for so long. */
const LINK_MARGIN_S = 60 * 60;
const LONGEST_LIFETIME_S = Math.max(...lifetimeClasses.map(({ days }) => days)) * 24 * 60 * 60;

type Times = Pick<CachePlan, "ttlSeconds" | "staleSeconds">;

/** Seconds for which a cached result is stored. */
export function cachedLifetime({ ttlSeconds, staleSeconds }: Times): number {
  return Math.min(LONGEST_LIFETIME_S, Math.max(DEFAULT_LIFETIME_S, ttlSeconds + staleSeconds + LINK_MARGIN_S));
}

/**
 * Until when a result that was stored just now, at `now`, answers requests as it is, and until when while it is taken
 * anew; all in milliseconds since 1970.
 */
export function cachedTimes(
  { ttlSeconds, staleSeconds }: Times,
  linksEnd: number,
  now: number,
): { readonly until: number; readonly staleUntil: number } {
  const end = (seconds: number) => Math.min(now + seconds * 1000, linksEnd);
  return { until: end(ttlSeconds), staleUntil: end(ttlSeconds + staleSeconds) };
}

/** They say how, when and to whom a result is delivered. `source` follows from what is captured. */
const ofDelivery = new Set<string>([...Object.keys(deliveryOptions), "response_type", "attachment_name", "source"]);

/** They decide between a result and none, but not about the result. */
const ofTime = new Set<string>(["timeout", "navigation_timeout", "on_timeout"] satisfies Name[]);

const addresses = new Set<string>(["url", "base_url"] satisfies Name[]);

/** The options that make the result. Where one is taken of a page that is not ready, its time makes it, too. */
function effective(options: CaptureOptions): Readonly<Record<string, unknown>> {
  const isTimed = options.on_timeout === "capture";
  const counting = Object.entries(options).filter(([name]) => !ofDelivery.has(name) && (isTimed || !ofTime.has(name)));
  return Object.fromEntries(
    counting.map(([name, value]) => [name, addresses.has(name) ? new URL(String(value)).href : value]),
  );
}
