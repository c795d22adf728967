// Times as an operator compares them with logs: in UTC, and as an age.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration of so many seconds in its largest unit, such as `40 s`, `5 min`, `36 h`, and `12 d`. */
export function formatAge(seconds: number): string {
  if (seconds < MINUTE) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} d`;
}

/** A time such as `2026-11-28 03:55`, in UTC; with seconds where `isExact`. */
export function formatUtc(timestamp: string, isExact = false): string {
  return new Date(timestamp)
    .toISOString()
    .replace("T", " ")
    .slice(0, isExact ? 19 : 16);
}
