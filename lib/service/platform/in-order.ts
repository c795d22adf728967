// Handles many items in their order, a few at the same time.

/** Items that are handled at the same time. */
const AT_ONCE = 10;

/** Handles items in their order, a few at the same time. */
export async function inOrder<T>(items: readonly T[], handle: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(handle));
  }
}
