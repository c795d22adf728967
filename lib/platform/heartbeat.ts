// Heartbeat: while work is under way, its lease or visibility timeout is extended again and again, so that it may be short
// and a worker that died is noticed soon.

/**
 * Resolves to the outcome of `work`. Until then `beat` is called every `intervalMs`, one call at a time; it must not reject.
 * No call is under way any more when this resolves.
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
