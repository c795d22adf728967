// Fairness between accounts, and backpressure: how many synchronous captures an account may run at the same time, a share of the
// deployment's capacity by its plan, and how many all busy accounts may run together.

import { ApiError } from "../../contract/errors/api-error.ts";
import { plans } from "../../contract/plans.ts";
import type { Caller } from "../account/account.ts";
import type { RateLimitState } from "../account/rate-limit.ts";
import { type RunningOperation, startOperation } from "../aws/running-count.ts";
import { allRunningCapturesKey, runningCapturesKey } from "../aws/table-keys.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";

/** The function of synchronous captures ends after two minutes. */
const MAX_DURATION_MS = 120_000;
/** When a capture of the account ends is unknown; most take a few seconds. */
const RETRY_AFTER_S = 3;

export type ConcurrencyResources = Pick<Environment, "USAGE_TABLE" | "MAX_CONCURRENT_CAPTURES">;

/** How many synchronous captures an account may run at the same time, at least one. */
export function concurrencyShare({ plan }: Pick<Caller["account"], "plan">, capacity: number): number {
  return Math.max(1, Math.floor(capacity * plans[plan].captureShare));
}

/** Part of the capacity that busy accounts can use together: the rest is for all others, who are not counted. */
const BUSY_SHARE = 0.9;
/** Running captures that one item counts: each changes it twice in a few seconds, and an item takes 1,000 writes a second. */
const CAPTURES_PER_SHARD = 1_000;

/** How many synchronous captures all busy accounts may run at the same time, at least one. */
export function busyCapacity(capacity: number): number {
  return Math.max(1, Math.floor(capacity * BUSY_SHARE));
}

/**
 * Counts a synchronous capture that begins at `now` (milliseconds since 1970). Throws `CAPACITY` when the account runs its
 * share, or all busy accounts together run theirs. An account that has sent at most half as many requests in the last minute as it
 * may run captures is not counted, which saves all writes: within a minute, it can exceed its share by that half.
 */
export async function startSynchronousCapture(
  {
    account,
    requests,
    now,
    canBeAsync = true,
  }: {
    readonly account: Caller["account"];
    readonly requests: Pick<RateLimitState, "limit" | "remaining">;
    readonly now: number;
    /** Whether the caller can be advised to send `async` instead. */
    readonly canBeAsync?: boolean;
  },
  { USAGE_TABLE, MAX_CONCURRENT_CAPTURES }: ConcurrencyResources,
): Promise<RunningOperation | undefined> {
  const share = concurrencyShare(account, MAX_CONCURRENT_CAPTURES);
  if (requests.limit - requests.remaining <= share / 2) return undefined;
  const count = { table: USAGE_TABLE, maxDurationMs: MAX_DURATION_MS };
  const [own, all] = await Promise.all([
    startOperation({ ...count, key: runningCapturesKey(account.id), limit: share }, now),
    startOperation({ ...count, ...shardOfAll(MAX_CONCURRENT_CAPTURES) }, now),
  ]);
  const release = async () => void (await Promise.all([own?.release(), all?.release()]));
  if (own && all) return { release };
  await cleanUp(release, "running capture not released"); // it expires
  const state = own
    ? "The service runs as many synchronous captures as it can"
    : `The account runs ${share} synchronous captures, its share of the service`;
  const message = `${state}. Try again in ${RETRY_AFTER_S} s${canBeAsync ? ", or send async=true" : ""}.`;
  const blame = own ? "us" : "caller";
  throw new ApiError("CAPACITY", message, { headers: { "Retry-After": String(RETRY_AFTER_S) }, blame });
}

/** A random one of the items that count the captures of all busy accounts, with its part of the limit. */
function shardOfAll(capacity: number) {
  const shards = Math.ceil(capacity / CAPTURES_PER_SHARD);
  const shard = Math.floor(Math.random() * shards);
  return { key: allRunningCapturesKey(shard), limit: Math.floor((busyCapacity(capacity) + shard) / shards) };
}
