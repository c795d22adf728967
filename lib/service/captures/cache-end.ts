// What the cache keeps of a capture that has ended.
import { packedObject } from "../results/packed-capture-writes.ts";
import { referenceWrites } from "../results/reference-store.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import { cacheExpiry } from "./cache-key.ts";
import { cacheWrite } from "./cache-store.ts";
import type { CaptureEnd } from "./capture-end.ts";

/** The cache entry of a new result, with its first reference. */
export function cacheEndWrites({ cache, cached, result, job, endedAt }: CaptureEnd, table: string): TransactionItem[] {
  if (!cache || !cached || !result?.stored) return [];
  const { key, expires_at: expiresAt } = result.stored;
  const times = cacheExpiry(cache, expiresAt, endedAt);
  // Only the result of a job can be deleted: that of a client that waits stays until it expires.
  if (!job) return [{ write: cacheWrite(table, cache, { capture: cached, ...times }) }];
  const reference = { referrer: job.job.id, cachedFacts: packedObject(cached), expiresAt };
  return [
    { write: cacheWrite(table, cache, { capture: cached, countedKey: key, ...times }) },
    { write: referenceWrites(table, { accountId: cache.accountId, key }, reference) },
  ];
}
