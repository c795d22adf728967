// Cache entries in the Activity table: by account and cache key, the facts of a stored capture.
import * as v from "valibot";
import { deleteItem, getItem } from "../aws/items.ts";
import { cacheKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";

const EntrySchema = v.object({
  capture: v.unknown(),
  /** Key of the result's object when references to it are counted; absent when the result stays until it expires. */
  counted_key: v.optional(v.string()),
  /** Milliseconds since 1970. */
  cached_until: v.number(),
  /** The same, never earlier. 0 in entries that were written before this field existed. */
  stale_until: v.optional(v.number(), 0),
});

/** The cache entry of an account with a cache key, as `cachePolicy` computes it. */
export interface CacheAddress {
  readonly accountId: number;
  readonly key: string;
}

/** What the cache has of a capture. */
export interface CacheEntry {
  readonly capture: unknown;
  /** True when a reference to the result has to be added before it is used. */
  readonly isReferenceCounted: boolean;
  /** Until when it is fresh, in milliseconds since 1970. */
  readonly freshUntil: number;
  /** The same once it is stale; undefined while it is fresh. */
  readonly staleSince: number | undefined;
}

/**
 * The cache entry at `now`, in milliseconds since 1970. A stale entry is returned while it may be served, and for at most
 * `toleratedSeconds` after it became stale.
 */
export async function findInCache(
  table: string,
  { accountId, key }: CacheAddress,
  { now, toleratedSeconds }: { readonly now: number; readonly toleratedSeconds: number },
): Promise<CacheEntry | undefined> {
  const item = await getItem(table, cacheKey(accountId, key));
  if (!item) return undefined;
  const { capture, counted_key, cached_until, stale_until } = v.parse(EntrySchema, item);
  const found = { capture, isReferenceCounted: counted_key !== undefined, freshUntil: cached_until };
  if (now < cached_until) return { ...found, staleSince: undefined };
  const isTolerated = now < Math.min(stale_until, cached_until + toleratedSeconds * 1000);
  return isTolerated ? { ...found, staleSince: cached_until } : undefined;
}

/** What is to be cached, with its times as `cacheExpiry` computes them. */
export interface CacheWrite {
  readonly capture: unknown;
  /** Key of the result's object. */
  readonly resultKey: string;
  /** True when references to it are counted. */
  readonly isCounted: boolean;
  readonly until: number;
  readonly staleUntil: number;
}

/** The write that caches a capture in place of the previous entry. */
export function cacheWrite(
  table: string,
  { accountId, key }: CacheAddress,
  { capture, resultKey, isCounted, until, staleUntil }: CacheWrite,
): Write {
  const times = { cached_until: until, stale_until: staleUntil, ttl: Math.ceil(staleUntil / 1000) };
  const counted = isCounted ? { counted_key: resultKey } : {};
  const Item = { ...cacheKey(accountId, key), capture, result_key: resultKey, ...counted, ...times };
  return { Put: { TableName: table, Item } };
}

/** Removes a result from the cache, unless another one has replaced it. */
export async function removeCached(table: string, { accountId, key }: CacheAddress, resultKey: string): Promise<void> {
  const refersTo = "result_key = :key OR counted_key = :key"; // the version before stored the second alone
  await deleteItem(table, cacheKey(accountId, key), refersTo, { ":key": resultKey });
}
