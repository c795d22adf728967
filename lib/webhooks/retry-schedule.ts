// When a webhook that could not be delivered is tried again.
import { MAX_VISIBILITY_TIMEOUT_S } from "../aws/visibility-timeout.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Seconds between a try and the next one. */
const waits = [5, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, HOUR_S, 4 * HOUR_S, 12 * HOUR_S];

/** By how much of itself a wait differs at most, so that those who failed together do not come again together. */
const SPREAD = 0.2;

/**
 * Whole seconds until the next try when so many have failed, or undefined when that was the last one. `random` is a
 * number from 0 up to 1.
 */
export function secondsUntilRetry(failures: number, random: number): number | undefined {
  const wait = waits[failures - 1];
  if (wait === undefined) return undefined;
  const [shortest, longest] = [wait * (1 - SPREAD), Math.min(wait * (1 + SPREAD), MAX_VISIBILITY_TIMEOUT_S)];
  return Math.round(shortest + (longest - shortest) * random);
}
