// What is cached, in the Activity table: under the hash of a plan, what is kept of a stored capture.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../platform/clients.ts";
import { cacheKey } from "../platform/table-keys.ts";
import type { Write } from "../platform/transaction.ts";

const EntrySchema = v.object({
  capture: v.unknown(),
  /** Milliseconds since 1970. */
  cached_until: v.number(),
});

export interface CacheAddress {
  readonly accountId: number;
  readonly hash: string;
}

/** What is kept of the capture, undefined where there is none at `now`, in milliseconds since 1970. */
export async function findCached(table: string, { accountId, hash }: CacheAddress, now: number): Promise<unknown> {
  const command = new GetCommand({ TableName: table, Key: cacheKey(accountId, hash), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  if (!Item) return undefined;
  const { capture, cached_until } = v.parse(EntrySchema, Item);
  return now < cached_until ? capture : undefined;
}

/** The write that caches a capture until a time in milliseconds since 1970, in place of what was cached before. */
export function caching(
  table: string,
  { accountId, hash }: CacheAddress,
  { capture, until }: { readonly capture: unknown; readonly until: number },
): Write {
  const ttl = Math.ceil(until / 1000);
  return { Put: { TableName: table, Item: { ...cacheKey(accountId, hash), capture, cached_until: until, ttl } } };
}
