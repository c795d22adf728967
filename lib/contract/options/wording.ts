// The wording of limits in descriptions and messages.

/** A whole number from 0 on as text, such as `4,000,000`. `toLocaleString` would load ICU, which is 10 ms of a cold start. */
export function count(value: number): string {
  const digits = String(value);
  const leading = digits.length % 3 || 3;
  return [digits.slice(0, leading), ...(digits.slice(leading).match(/\d{3}/g) ?? [])].join(",");
}

/** The longest that something may be, for a description, such as `at most 4,000,000 characters`. */
export const atMost = (maximum: number, unit: string): string => `at most ${count(maximum)} ${unit}`;

/** Both bounds, such as `1 to 100 characters`. */
export const between = (minimum: number, maximum: number, unit: string): string =>
  `${count(minimum)} to ${count(maximum)} ${unit}`;

/** The message about something that is longer. `actual` is left out where it would tell a secret or is unknown. */
export const tooLong = (maximum: number, unit: string, actual?: number): string =>
  `must have ${atMost(maximum, unit)}${actual === undefined ? "" : `, not ${count(actual)}`}`;
