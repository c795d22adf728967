// A promise with a timeout.
import { setTimeout as sleep } from "node:timers/promises";

/** The outcome of a promise, or undefined when it takes longer than `allowance` milliseconds; a later failure is ignored. */
export async function withTimeout<T>(promise: Promise<T>, allowance: number): Promise<T | undefined> {
  promise.catch(() => undefined);
  const cancel = new AbortController();
  const expiry = sleep(allowance, undefined, { signal: cancel.signal }).catch(() => undefined);
  return Promise.race([promise, expiry]).finally(() => cancel.abort());
}
