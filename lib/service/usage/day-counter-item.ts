// Items of the day counters: captures per day and API key, one item per month with attributes per day, so that a year is one short
// query.
import * as v from "valibot";
import type { CaptureLog } from "./capture-log.ts";
import type { DayCounter } from "./day-counter.ts";

/**
 * Returns the increments of a log entry for its month's item: `s` and `f` plus the day count successes and failures,
 * `st` and `ft` their milliseconds.
 */
export function dayIncrements(day: string, { status, response_time_ms }: CaptureLog): Record<string, number> {
  const [initial] = status;
  return { [`${initial}${day}`]: 1, [`${initial}t${day}`]: response_time_ms };
}

/** The attribute of an item in which no success is counted any more, in milliseconds since 1970: its account is suspended. */
export const SUSPENDED_ATTRIBUTE = "suspended_at";

/** A stored item; `sk` starts with the month. */
const MonthItem = v.objectWithRest({ pk: v.string(), sk: v.string(), api_key_id: v.number() }, v.number());

const days = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, "0"));

/** Returns the days of a stored month that have captures, oldest first. Throws for an item of another shape. */
export function readDayCounters(item: unknown): DayCounter[] {
  const { sk, api_key_id, ...counts } = v.parse(MonthItem, item);
  const month = sk.slice(0, 7);
  const count = (name: string) => Number(counts[name] ?? 0);
  return days
    .map((day) => ({
      date: `${month}-${day}`,
      api_key_id,
      success: count(`s${day}`),
      failed: count(`f${day}`),
      success_ms: count(`st${day}`),
      failed_ms: count(`ft${day}`),
    }))
    .filter(({ success, failed }) => success + failed > 0);
}
