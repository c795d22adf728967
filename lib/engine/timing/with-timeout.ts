// A promise with a timeout.

/** The outcome of a promise, or undefined when it takes longer than `allowance` milliseconds; a later failure is ignored. */
export function withTimeout<T>(promise: Promise<T>, allowance: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // Not the timer of node:timers/promises: aborting it creates two errors, in each of the steps of virtual time.
    const timer = setTimeout(() => resolve(undefined), allowance);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
