// Captures per day and API key: one item for each month, with its days as attributes, so that a year of them is read
// at once. They are what lists are located by and all that statistics are made of.
import * as v from "valibot";
import type { CaptureLog } from "./capture-log.ts";
import type { DayCounter } from "./day-counter.ts";

/** What a log adds to the item of its month: `s` and `f` count successes and failures, `st` and `ft` their milliseconds. */
export function dayIncrements(day: string, { status, response_time_ms }: CaptureLog): Record<string, number> {
  const [initial] = status;
  return { [`${initial}${day}`]: 1, [`${initial}t${day}`]: response_time_ms };
}

/** An item as it is stored; `sk` begins with the month. */
const MonthItem = v.objectWithRest({ pk: v.string(), sk: v.string(), api_key_id: v.number() }, v.number());

const days = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, "0"));

/** The days of a stored month on which there was a capture, oldest first. Throws for what is no such item. */
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
