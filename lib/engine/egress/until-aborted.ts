// The end of a wait that does not depend on the library that is waited for.

/**
 * The outcome of a promise. Rejects with the signal's reason as soon as it aborts, because a library may never settle what
 * it was to abort: the AWS SDK does not when a server switches protocols.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
