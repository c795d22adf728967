// Waiting times between attempts and between polls: what the service's headers say, else exponential backoff.
import { ApiError, type ScreenCaptureError } from "./api-error.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 20_000;
const FIRST_POLL_MS = 400;
const MAX_POLL_MS = 5_000;

/** Milliseconds before the next attempt: `Retry-After`, else exponential backoff with full jitter. */
export function retryDelayMs(error: ScreenCaptureError, attempt: number): number {
  if (error instanceof ApiError && error.retryAfterS !== undefined) return error.retryAfterS * 1000;
  return Math.random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt + 1));
}

/**
 * Milliseconds before the status of a capture is requested again. When a request of the rate limit is all that is left, waits
 * until more are available, so that polling doesn't keep the account from capturing.
 */
export function pollDelayMs(headers: Headers, attempt: number, now = Date.now()): number {
  const backoff = Math.min(MAX_POLL_MS, FIRST_POLL_MS * 1.5 ** attempt);
  const remaining = Number(headers.get("x-ratelimit-remaining") ?? Number.POSITIVE_INFINITY);
  const resetMs = Number(headers.get("x-ratelimit-reset") ?? 0) * 1000;
  return remaining > 1 ? backoff : Math.max(backoff, resetMs - now);
}

/** Resolves after `ms` milliseconds. Rejects with the reason of `signal` when it aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
