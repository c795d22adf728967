// Retention of usage data. Reads filter by day, because DynamoDB's TTL deletes expired items days late, and lists and
// statistics must agree.
import { DAY_MS, startOfDay, utcDay } from "./day.ts";

/** Margin between the end of the retention and the TTL, for clock skew. */
const MARGIN_DAYS = 2;

/** TTL attribute of items that are never deleted: the end of the year 9999, in seconds since 1970. */
export const KEPT_TTL = 253_402_300_799;

/**
 * Returns the oldest UTC day that is still shown at `now` (milliseconds since 1970): a capture is shown for
 * `retentionDays` after its day.
 */
export function oldestShownDay(now: number, retentionDays: number): string {
  return utcDay(now - retentionDays * DAY_MS);
}

/** Returns the TTL attribute for items of a day, in seconds since 1970. */
export function ttlSeconds(day: string, retentionDays: number): number {
  return (startOfDay(day) + (1 + retentionDays + MARGIN_DAYS) * DAY_MS) / 1000;
}
