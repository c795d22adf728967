// The part of a URL that rules are matched against: a bound on the time that a page can make them take.

/**
 * Rules of filter lists that begin with `||^.*` take quadratic time, in the event loop that also ends the capture at its
 * deadline: 10 ms for so many characters, 30 s for 200,000. Servers rarely accept longer URLs (RFC 9110, section 4.1, asks
 * for 8,000 octets).
 */
const MAX_MATCHED_CHARACTERS = 4_096;

/** The beginning of a URL. */
export function matchedPart(url: string): string {
  return url.slice(0, MAX_MATCHED_CHARACTERS);
}
