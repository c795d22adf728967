// The part of a URL that rules are matched against: a bound on the time that a page can make them take.

/**
 * Regular expressions of filter lists take quadratic time, in the event loop that also ends the capture at its deadline: 10 ms
 * for so many characters, 30 s for 200,000. The engine itself looks for the words of a rule in the first 2,048 only.
 */
const MAX_MATCHED_CHARACTERS = 4_096;

/** The beginning of a URL. */
export function matchedPart(url: string): string {
  return url.slice(0, MAX_MATCHED_CHARACTERS);
}
