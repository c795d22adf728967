// Graceful shutdown: on SIGTERM, a process releases what it holds before it exits.

/**
 * Resolves to the result of `work`, or on SIGTERM to that of `release`; `work` then continues, and its result is ignored. At any
 * other time SIGTERM ends the process, as by default.
 */
export async function untilShutdown<T>(work: () => Promise<T>, release: () => Promise<T>): Promise<T> {
  const signalled = Promise.withResolvers<undefined>();
  const onSignal = () => signalled.resolve(undefined);
  process.once("SIGTERM", onSignal);
  try {
    const working = work();
    const ended = await Promise.race([working.then((outcome) => ({ outcome })), signalled.promise]);
    if (ended) return ended.outcome;
    working.catch(() => undefined);
    return await release();
  } finally {
    process.off("SIGTERM", onSignal);
  }
}
