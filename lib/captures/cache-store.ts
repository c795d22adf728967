// What is cached, in the Activity table: under the hash of a plan, what is kept of a stored capture.
import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { cacheKey } from "../aws/table-keys.ts";
import { cancellationReason, type Write } from "../aws/transaction.ts";

const EntrySchema = v.object({
  capture: v.unknown(),
  /** Key of the result's object where references to it are counted; absent where the result stays until it expires. */
  counted_key: v.optional(v.string()),
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
export interface CacheEntry {
  readonly capture: unknown;
  /** True where who uses the result has to add a reference to it. */
  readonly isReferenceCounted: boolean;
  /** When its time was over, in milliseconds since 1970; undefined while it lasts. */
  readonly staleSince: number | undefined;
}

/**
 * What is cached at `now`, in milliseconds since 1970. What is stale is found where it was cached for that, and for no
 * longer than `toleratedSeconds`.
 */
export async function findInCache(
  table: string,
  { accountId, hash }: CacheAddress,
  { now, toleratedSeconds }: { readonly now: number; readonly toleratedSeconds: number },
): Promise<CacheEntry | undefined> {
  const command = new GetCommand({ TableName: table, Key: cacheKey(accountId, hash), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  if (!Item) return undefined;
  const { capture, counted_key, cached_until, stale_until } = v.parse(EntrySchema, Item);
  const found = { capture, isReferenceCounted: counted_key !== undefined };
  if (now < cached_until) return { ...found, staleSince: undefined };
  const isTolerated = now < Math.min(stale_until, cached_until + toleratedSeconds * 1000);
  return isTolerated ? { ...found, staleSince: cached_until } : undefined;
}

/** What is to be cached, with its times as `cachedTimes` tells them. */
export interface CacheWrite {
  readonly capture: unknown;
  /** Key of the result's object, where references to it are counted. */
  readonly countedKey?: string | undefined;
  readonly until: number;
  readonly staleUntil: number;
}

/** The write that caches a capture in place of what was cached before. */
export function cacheWrite(
  table: string,
  { accountId, hash }: CacheAddress,
  { capture, countedKey, until, staleUntil }: CacheWrite,
): Write {
  const times = { cached_until: until, stale_until: staleUntil, ttl: Math.ceil(staleUntil / 1000) };
  const Item = { ...cacheKey(accountId, hash), capture, counted_key: countedKey, ...times };
  return { Put: { TableName: table, Item } };
}

/** Removes a result from the cache, unless another one has taken its place. */
export async function removeCached(
  table: string,
  { accountId, hash }: CacheAddress,
  countedKey: string,
): Promise<void> {
  const command = new DeleteCommand({
    TableName: table,
    Key: cacheKey(accountId, hash),
    ConditionExpression: "counted_key = :key",
    ExpressionAttributeValues: { ":key": countedKey },
  });
  await cancellationReason(() => dynamodb().send(command));
}
