// A wait that ends in time.
import { setTimeout as sleep } from "node:timers/promises";

/** The outcome of a promise, or undefined when it takes longer than `allowance` milliseconds. */
export async function withTimeout<T>(promise: Promise<T>, allowance: number): Promise<T | undefined> {
  promise.catch(() => undefined); // it may yet fail after nobody waits for it
  const cancel = new AbortController();
  const expiry = sleep(allowance, undefined, { signal: cancel.signal }).catch(() => undefined);
  return Promise.race([promise, expiry]).finally(() => cancel.abort());
}
