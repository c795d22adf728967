// How long captures are listed and counted. Reads go by the day alone, so that lists and statistics agree whether or not
// the table has swept what is older, which it does when it has time.
import { DAY_MS, startOfDay, utcDay } from "./day.ts";

/** Between the end of the retention and the sweep, so that nothing goes while a clock somewhere still shows it. */
const SPARE_DAYS = 2;

/** The oldest day that is still shown: every capture is for `retentionDays` after the end of its own. */
export function oldestShownDay(now: number, retentionDays: number): string {
  return utcDay(now - retentionDays * DAY_MS);
}

/** When what tells of a day may be swept, in seconds since 1970. */
export function ttlSeconds(day: string, retentionDays: number): number {
  return (startOfDay(day) + (1 + retentionDays + SPARE_DAYS) * DAY_MS) / 1000;
}
