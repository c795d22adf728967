// Measures how long work takes, and scales time limits by the load of the machine.

/** The milliseconds that work takes until it settles. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work().catch(() => undefined);
  return performance.now() - startedAt;
}

/**
 * A bound for work that takes well less than `usualMs`: that, or three times what a control takes that ran at the same time
 * and is about as much work. So the bound grows with the load of the machine, and is `usualMs` where there is none.
 */
export function scaleLimitByLoad(usualMs: number, controlMs: number): number {
  return Math.max(usualMs, 3 * controlMs);
}
