// Retry schedule of webhooks: growing delays (backoff) with jitter, from 5 seconds up to 12 hours.

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Seconds between consecutive attempts. */
const RETRY_DELAYS_S = [5, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, HOUR_S, 4 * HOUR_S, 12 * HOUR_S];

/**
 * Jitter: each delay varies by up to this fraction, so that deliveries which failed together are not retried together.
 */
const JITTER = 0.2;

/**
 * Returns the whole seconds until the next attempt after this many failures, or undefined after the last one. `random`
 * is a number from 0 up to 1.
 */
export function secondsUntilRetry(failures: number, random: number): number | undefined {
  const delay = RETRY_DELAYS_S[failures - 1];
  if (delay === undefined) return undefined;
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
