// Fairness between accounts, and backpressure: how many synchronous captures an account may run at the same time, a share of the
// deployment's capacity by its plan or what the operator has set, and how many all busy accounts may run together.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { Caller } from "../account/account.ts";
import { concurrencyLimit, type EffectiveLimit } from "../account/limits.ts";
import type { RateLimitState } from "../account/rate-limit.ts";
import { type RunningOperation, startOperation, uncounted } from "../aws/running-count.ts";
import { allRunningCapturesKey, runningCapturesKey } from "../aws/table-keys.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";

/** The function of synchronous captures ends after two minutes. */
const MAX_DURATION_MS = 120_000;
/** When a capture of the account ends is unknown; most take a few seconds. */
const RETRY_AFTER_S = 3;

export type ConcurrencyResources = Pick<Environment, "USAGE_TABLE" | "MAX_CONCURRENT_CAPTURES">;

/** Part of the capacity that busy accounts can use together: the rest is for all others, who are not counted. */
const BUSY_SHARE = 0.9;
/** Running captures that one item counts: each changes it twice in a few seconds, and an item takes 1,000 writes a second. */
const CAPTURES_PER_SHARD = 1_000;

/** How many synchronous captures all busy accounts may run at the same time, at least one. */
export function busyCapacity(capacity: number): number {
  return Math.max(1, Math.floor(capacity * BUSY_SHARE));
}

/**
 * Counts a synchronous capture that begins at `now` (milliseconds since 1970). Throws `CAPACITY` when the account runs as many as it
 * may, or all busy accounts together run theirs. An account that has sent at most half as many requests in the last minute as it
 * may run captures is not busy, and not counted, which saves all writes: within a minute, it can exceed its share by that half. What the
 * operator has set is exact: there, each capture is counted for the account.
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
  const capacity = MAX_CONCURRENT_CAPTURES;
  const allowed = concurrencyLimit(account, { capacity, now });
  const limit = canBeAsync ? allowed.value : Math.max(1, allowed.value); // what can't be asynchronous is always possible
  const isBusy = requests.limit - requests.remaining > Math.min(limit, capacity) / 2;
  if (!isBusy && !allowed.is_override) return undefined;
  const count = { table: USAGE_TABLE, maxDurationMs: MAX_DURATION_MS };
  const [own, all] = await Promise.all([
    startOperation({ ...count, key: runningCapturesKey(account.id), limit }, now),
    isBusy ? startOperation({ ...count, ...shardOfAll(capacity) }, now) : uncounted,
  ]);
  const release = async () => void (await Promise.all([own?.release(), all?.release()]));
  if (own && all) return { release };
  await cleanUp(release, "running capture not released"); // it expires
  const state = own
    ? "The service runs as many synchronous captures as it can"
    : describeLimit({ ...allowed, value: limit });
  const message = `${state}. Try again in ${RETRY_AFTER_S} s${canBeAsync ? ", or send async=true" : ""}.`;
  const blame = own ? "us" : "caller";
  throw new ApiError("CAPACITY", message, { headers: { "Retry-After": String(RETRY_AFTER_S) }, blame });
}

/** Why an account can't run another capture, as a sentence without its end. */
function describeLimit({ value, is_override }: EffectiveLimit): string {
  return is_override
    ? `The account runs as many synchronous captures as the operator of the service allows it: ${value}`
    : `The account runs ${value} synchronous captures, its share of the service`;
}

/** A random one of the items that count the captures of all busy accounts, with its part of the limit. */
function shardOfAll(capacity: number) {
  const shards = Math.ceil(capacity / CAPTURES_PER_SHARD);
  const shard = Math.floor(Math.random() * shards);
  return { key: allRunningCapturesKey(shard), limit: Math.floor((busyCapacity(capacity) + shard) / shards) };
}
