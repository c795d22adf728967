// The `Cache-Control` headers of links: browsers keep a capture while it is cached, and CloudFront may answer a link by itself for a
// while, where a stage has an edge.
import { optionalVariable } from "../platform/environment.ts";

/**
 * The header of a response that may be cached by shared caches until a time in milliseconds since 1970, but no longer than
 * the stage allows. Browsers ask each time, so that what they show is at most as old as the edge's copy. Undefined in a stage
 * without an edge.
 */
export function edgeCacheControl(until: number, now: number): string | undefined {
  const allowedSeconds = optionalVariable("EDGE_CACHE_SECONDS");
  if (allowedSeconds === undefined) return undefined;
  const seconds = Math.max(0, Math.min(allowedSeconds, Math.floor((until - now) / 1000)));
  return `public, max-age=0, s-maxage=${seconds}`;
}

/**
 * The header of a signed link's capture that stays the same until a time in milliseconds since 1970: browsers keep it until then, and
 * the edge as long as the stage allows, whose `Age` header browsers subtract.
 */
export function captureCacheControl(until: number, now: number): string {
  const seconds = Math.max(0, Math.floor((until - now) / 1000));
  const allowedSeconds = optionalVariable("EDGE_CACHE_SECONDS");
  if (allowedSeconds === undefined) return `private, max-age=${seconds}`;
  return `public, max-age=${seconds}, s-maxage=${Math.min(allowedSeconds, seconds)}`;
}
