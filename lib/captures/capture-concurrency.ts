// Fairness between accounts: how many synchronous captures an account may run at the same time, a share of the
// deployment's capacity by its plan.
import type { Caller } from "../accounts/account.ts";
import type { RateLimitState } from "../accounts/rate-limit.ts";
import { type RunningOperation, startOperation } from "../aws/running-count.ts";
import { runningCapturesKey } from "../aws/table-keys.ts";
import { plans } from "../billing/plans.ts";
import { ApiError } from "../errors/api-error.ts";
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

/**
 * Counts a synchronous capture that begins at `now` (milliseconds since 1970). Throws `CAPACITY` when the account runs its
 * share. An account that has sent at most half as many requests in the last minute is not counted, which saves both writes:
 * within a minute, it can exceed its share by that half.
 */
export async function startSynchronousCapture(
  {
    account,
    requests,
    now,
  }: { readonly account: Caller["account"]; readonly requests: RateLimitState; readonly now: number },
  { USAGE_TABLE, MAX_CONCURRENT_CAPTURES }: ConcurrencyResources,
): Promise<RunningOperation | undefined> {
  const share = concurrencyShare(account, MAX_CONCURRENT_CAPTURES);
  if (requests.limit - requests.remaining <= share / 2) return undefined;
  const key = runningCapturesKey(account.id);
  const count = { table: USAGE_TABLE, key, limit: share, maxDurationMs: MAX_DURATION_MS };
  const operation = await startOperation(count, now);
  if (operation) return operation;
  const message =
    `The account runs ${share} synchronous captures, its share of the service. Try again in ${RETRY_AFTER_S} s, or ` +
    "send async=true.";
  throw new ApiError("CAPACITY", message, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}
