// Captures per day and API key: one item for each month, with its days as attributes, so that a year of them is read
// at once. They are what lists are located by and all that statistics are made of.
import type { CaptureLog } from "./capture-log.ts";

/** What a log adds to the item of its month: `s` and `f` count successes and failures, `st` and `ft` their milliseconds. */
export function dayCounts(day: string, { status, response_time_ms }: CaptureLog): Record<string, number> {
  const [initial] = status;
  return { [`${initial}${day}`]: 1, [`${initial}t${day}`]: response_time_ms };
}
