// What is cached, in the Activity table: under the hash of a plan, what is kept of a stored capture.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../platform/clients/dynamodb.ts";
import { cacheKey } from "../platform/table-keys.ts";
import type { Write } from "../platform/transaction.ts";

const EntrySchema = v.object({
  capture: v.unknown(),
  /** Milliseconds since 1970. */
  cached_until: v.number(),
  /** The same, never before it; 0 in entries that are older than this field. */
  stale_until: v.optional(v.number(), 0),
});

export interface CacheAddress {
  readonly accountId: number;
  readonly hash: string;
}

/** What is kept of a capture. */
export interface Cached {
  readonly capture: unknown;
  /** When its time was over, in milliseconds since 1970; undefined while it lasts. */
  readonly staleSince: number | undefined;
}

/**
 * What is cached at `now`, in milliseconds since 1970. What is stale is found where it was cached for that, and for no
 * longer than `toleratedSeconds`.
 */
export async function findCached(
  table: string,
  { accountId, hash }: CacheAddress,
  { now, toleratedSeconds }: { readonly now: number; readonly toleratedSeconds: number },
): Promise<Cached | undefined> {
  const command = new GetCommand({ TableName: table, Key: cacheKey(accountId, hash), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  if (!Item) return undefined;
  const { capture, cached_until, stale_until } = v.parse(EntrySchema, Item);
  if (now < cached_until) return { capture, staleSince: undefined };
  const isTolerated = now < Math.min(stale_until, cached_until + toleratedSeconds * 1000);
  return isTolerated ? { capture, staleSince: cached_until } : undefined;
}

/** What is to be cached, with its times as `cachedTimes` tells them. */
export interface Caching {
  readonly capture: unknown;
  readonly until: number;
  readonly staleUntil: number;
}

/** The write that caches a capture in place of what was cached before. */
export function caching(
  table: string,
  { accountId, hash }: CacheAddress,
  { capture, until, staleUntil }: Caching,
): Write {
  const times = { cached_until: until, stale_until: staleUntil, ttl: Math.ceil(staleUntil / 1000) };
  return { Put: { TableName: table, Item: { ...cacheKey(accountId, hash), capture, ...times } } };
}
