// How often the state of a capture is polled: short captures often, and never so often that the rate limit is used up.
import type { RateLimit } from "./send-capture.ts";

/** A poll waits for a fifth of the time that a capture has taken, so that it is shown at most a fifth later. */
const POLL_SHARE = 0.2;
export const MIN_POLL_MS = 120;
const MAX_POLL_MS = 5_000;
/** An account that may send fewer requests a minute is polled less often. */
const AMPLE_REQUESTS = 40;
/** Requests that are left for other things, such as to cancel the capture. */
export const SPARE_REQUESTS = 2;

/** Milliseconds until the next poll of a capture that was requested, or cancelled, `elapsedMs` ago. */
export function pollDelayMs(elapsedMs: number, rateLimit: RateLimit | undefined): number {
  const { limit, remaining } = rateLimit ?? { limit: AMPLE_REQUESTS, remaining: AMPLE_REQUESTS };
  const scarcity = Math.max(1, AMPLE_REQUESTS / limit);
  const delayMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, elapsedMs * POLL_SHARE) * scarcity);
  return remaining > SPARE_REQUESTS ? delayMs : Math.max(delayMs, 60_000 / limit);
}
