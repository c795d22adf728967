// Graceful shutdown: a process that is asked to end by SIGTERM gives back what it holds first.

/**
 * Resolves to the outcome of `work`, or to that of `giveBack` when the process is asked to end before: `work` goes on, but
 * its outcome is ignored. At any other time SIGTERM ends the process, as it does by default.
 */
export async function untilShutdown<T>(work: () => Promise<T>, giveBack: () => Promise<T>): Promise<T> {
  const asked = Promise.withResolvers<undefined>();
  const ask = () => asked.resolve(undefined);
  process.once("SIGTERM", ask);
  try {
    const working = work();
    const ended = await Promise.race([working.then((outcome) => ({ outcome })), asked.promise]);
    if (ended) return ended.outcome;
    working.catch(() => undefined);
    return await giveBack();
  } finally {
    process.off("SIGTERM", ask);
  }
}
