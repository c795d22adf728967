// `Retry-After` of a page: seconds or a date (RFC 9110, section 10.2.3), within bounds that a caller can wait for.

export const MIN_RETRY_AFTER_S = 1;
export const MAX_RETRY_AFTER_S = 3_600;

/**
 * The seconds to wait from `now` (milliseconds since 1970) on. A longer wait than an hour counts as one, and a date in the past as a
 * second. Undefined without a valid value.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : HTTP_DATE.test(text)
      ? (Date.parse(text) - now) / 1000
      : Number.NaN;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Math.ceil(seconds)));
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`. Without the check, `Date.parse` would take a number for a year. */
const HTTP_DATE = /^[A-Za-z]{3,9},? .*GMT$/;
