// Ids of the API: integers below 2^53 that increase with time, created without a shared counter.

/** Epoch of the ids: 41 bits of milliseconds last until 2094. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
const RANDOM_BITS = 12;

/**
 * Creates an id for `now` (milliseconds since 1970) and `random` (0 up to 1), which gives 12 random bits. A writer that needs
 * uniqueness uses a conditional write and retries with another id.
 */
export function createId(now: number, random: number): number {
  return (now - EPOCH_MS) * 2 ** RANDOM_BITS + Math.floor(random * 2 ** RANDOM_BITS);
}

/** The creation time of an id, in milliseconds since 1970. */
export function idTime(id: number): number {
  return Math.floor(id / 2 ** RANDOM_BITS) + EPOCH_MS;
}

/** Parses an id in a path. NaN for any other text. */
export function parseId(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) && id >= 0 && String(id) === text ? id : Number.NaN;
}
