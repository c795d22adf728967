// Several names in a sentence.

/** `a`, `a and b`, `a, b and c`. */
export function enumeration(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}
