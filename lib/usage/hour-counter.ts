// Captures per minute and API key: one item for each hour, with its minutes as attributes. Lists use them to find a place
// within a busy day.
import * as v from "valibot";
import type { CaptureLog } from "./capture-log.ts";
import { DAY_MS } from "./day.ts";
import type { StatusAndKey } from "./day-counter.ts";
import type { Span } from "./span.ts";

/** What a log adds to the item of its hour: `s` and `f` count successes and failures. */
export function minuteCounts(minute: string, { status }: CaptureLog): Record<string, number> {
  return { [`${status[0]}${minute}`]: 1 };
}

const MINUTE_MS = 60 * 1000;
const MINUTES = DAY_MS / MINUTE_MS;

/** An item as it is stored; `sk` ends with the hour. */
const HourItem = v.objectWithRest({ pk: v.string(), sk: v.string(), api_key_id: v.number() }, v.number());

/**
 * The day as spans, newest first: each minute with a match is one, and so is all between two of them. `items` are those
 * of the day, or those of the filter's key alone; captures of the day that they do not tell of are spread over it evenly.
 * Throws for what is no such item.
 */
export function minuteSpans(day: Span, items: readonly unknown[], { status }: Pick<StatusAndKey, "status">): Span[] {
  const minutes = Array.from({ length: MINUTES }, () => ({ matches: 0, others: 0 }));
  let told = 0;
  for (const { minute, initial, count } of items.flatMap(countsOf)) {
    const counts = minutes[minute];
    if (!counts) continue;
    counts[status === undefined || status.startsWith(initial) ? "matches" : "others"] += count;
    told += count;
  }
  const untold = Math.max(0, day.matches + day.others - told) / MINUTES;

  const spans: Span[] = [];
  for (const [minute, { matches, others }] of [...minutes.entries()].reverse()) {
    const from = day.from + minute * MINUTE_MS;
    const newer = spans.at(-1);
    if (matches === 0 && newer?.matches === 0) {
      spans[spans.length - 1] = { ...newer, from, others: newer.others + others + untold };
    } else {
      spans.push({ from, to: from + MINUTE_MS, matches, others: others + untold });
    }
  }
  return spans;
}

/** What an item counts, by the minute of the day. */
function countsOf(item: unknown): { minute: number; initial: string; count: number }[] {
  const { pk: _, sk, api_key_id: __, ttl: ___, ...counts } = v.parse(HourItem, item);
  const hour = Number(sk.slice(-2));
  return Object.entries(counts).map(([name, count]) => ({
    minute: hour * 60 + Number(name.slice(1)),
    initial: name.slice(0, 1),
    count: Number(count),
  }));
}
