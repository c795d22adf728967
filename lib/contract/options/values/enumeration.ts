// Lists of names in a sentence, with a serial comma.

/** `a`, `a and b`, `a, b, and c`. */
export function enumeration(names: readonly string[]): string {
  return new Intl.ListFormat("en-US").format(names);
}
