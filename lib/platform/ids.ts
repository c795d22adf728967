// Identifiers as the API shows them: integers below 2^53 that increase with time, made without a shared counter.

/** Time zero of identifiers: 41 bits of milliseconds from here last until 2094. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
const RANDOM_BITS = 12;

/**
 * An identifier for something that begins at `now` (milliseconds since 1970).
 * `random` is a number from 0 up to 1; ids of one millisecond differ by its 12 bits, so a writer that needs
 * uniqueness makes its write conditional and takes another id when it is refused.
 */
export function createId(now: number, random: number): number {
  return (now - EPOCH_MS) * 2 ** RANDOM_BITS + Math.floor(random * 2 ** RANDOM_BITS);
}

/** The time in milliseconds since 1970 at which an identifier was made. */
export function idTime(id: number): number {
  return Math.floor(id / 2 ** RANDOM_BITS) + EPOCH_MS;
}

/** An identifier as a path has it; NaN, which nothing is called, for text that is not written as they are. */
export function parseId(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) && id >= 0 && String(id) === text ? id : Number.NaN;
}
