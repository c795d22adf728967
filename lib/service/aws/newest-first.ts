// Pages through items with ascending ids, newest first, until enough of them match a filter.

/** Items that one list reads: a filter that few items match must not read a whole partition at once. */
const MAX_READ = 1_000;

/** Items that one call of `readBefore` returns; fewer at the end of the list only. */
export const READ_AT_ONCE = 100;

export interface NewestFirst<T> {
  /** Only items with a lower id, which are older. */
  readonly before: number | undefined;
  /** Maximum of items to find. */
  readonly limit: number;
  /** Reads the `READ_AT_ONCE` newest items with an id below the given one. */
  readonly readBefore: (id: number) => Promise<readonly T[]>;
  readonly matches: (item: T) => boolean;
}

export interface FoundItems<T> {
  readonly found: readonly T[];
  /** The id before which the list goes on; undefined at its end. */
  readonly next: number | undefined;
}

/** Finds the newest items that match. With a filter, the result can be shorter than `limit` although the list goes on. */
export async function findNewestFirst<T extends { readonly id: number }>({
  before,
  limit,
  readBefore,
  matches,
}: NewestFirst<T>): Promise<FoundItems<T>> {
  const found: T[] = [];
  let position = before ?? Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MAX_READ; ) {
    const items = await readBefore(position);
    for (const item of items) {
      read++;
      position = item.id;
      if (!matches(item)) continue;
      found.push(item);
      if (found.length === limit) return { found, next: position };
    }
    if (items.length < READ_AT_ONCE) return { found, next: undefined };
  }
  return { found, next: position };
}
