// Heartbeat: extends a lease or visibility timeout while work runs, so that it can be short and a dead worker is noticed soon.

/**
 * Resolves to the result of `work`, and calls `beat` every `intervalMs` until then. Calls of `beat` do not overlap, must not
 * reject, and are over when this resolves.
 */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  beat: () => Promise<void>,
  intervalMs: number,
): Promise<T> {
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
  }, intervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await beating;
  }
}
