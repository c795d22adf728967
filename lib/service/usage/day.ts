// UTC days and months as ISO 8601 text, `2026-01-31` and `2026-01`, so that text order is time order.

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the day of a time in milliseconds since 1970. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the month of a time in milliseconds since 1970. */
export function utcMonth(time: number): string {
  return utcDay(time).slice(0, 7);
}

/** Yields the months from one time to another, both in milliseconds since 1970, newest first. */
export function* monthsBetween(first: number, last: number): Generator<string> {
  for (let month = utcMonth(last); month >= utcMonth(first); ) {
    yield month;
    month = utcMonth(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS);
  }
}

/** Returns the start of a day in milliseconds since 1970. */
export function startOfDay(day: string): number {
  return Date.parse(day);
}

/** Returns the last day of a month. */
export function lastDayOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return utcDay(Date.UTC(year, number, 0));
}
