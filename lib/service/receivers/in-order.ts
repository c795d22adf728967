// Handles many events of a receiver in their order, a few at the same time.

/** Events that are handled at the same time. */
const AT_ONCE = 10;

/** Handles events in their order, a few at the same time. */
export async function inOrder<T>(events: readonly T[], handle: (event: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < events.length; start += AT_ONCE) {
    await Promise.all(events.slice(start, start + AT_ONCE).map(handle));
  }
}
