// Days and months of the UTC calendar, written `2026-01-31` and `2026-01`, so that their order is that of their text.

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a time in milliseconds since 1970. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The month of a time in milliseconds since 1970. */
export function utcMonth(time: number): string {
  return utcDay(time).slice(0, 7);
}

/** When a day begins, in milliseconds since 1970. */
export function startOfDay(day: string): number {
  return Date.parse(day);
}

/** The last day of a month. */
export function lastDayOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return utcDay(Date.UTC(year, number, 0));
}
