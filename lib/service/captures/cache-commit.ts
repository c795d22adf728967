// What the commit of a capture writes for the cache.
import { packedObject } from "../results/packed-capture-writes.ts";
import { referenceWrites } from "../results/reference-store.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import { cacheExpiry } from "./cache-key.ts";
import { cacheWrite } from "./cache-store.ts";
import type { CaptureCommit } from "./capture-commit.ts";

/** The cache entry of a new result, with its first reference. */
export function cacheCommitWrites(
  { cache, cached, result, job, endedAt }: CaptureCommit,
  table: string,
): TransactionItem[] {
  if (!cache || !cached || !result?.stored) return [];
  const { key, expires_at: expiresAt } = result.stored;
  const times = cacheExpiry(cache, expiresAt, endedAt);
  const entry = { capture: cached, resultKey: key, isCounted: job !== undefined, ...times };
  const write = cacheWrite(table, cache, entry);
  // The result of a job is deleted with its last reference: that of a client that waits with its capture, or when it expires.
  if (!job) return [{ write }];
  const reference = { referrer: job.job.id, cachedFacts: packedObject(cached), expiresAt };
  return [{ write }, { write: referenceWrites(table, { accountId: cache.accountId, key }, reference) }];
}
