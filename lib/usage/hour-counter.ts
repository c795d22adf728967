// Captures per minute and API key: one item for each hour, with its minutes as attributes. Lists use them to find a place
// within a busy day.
import * as v from "valibot";
import type { CaptureLog } from "./capture-log.ts";
import type { DaySpan, StatusAndKey } from "./day-counter.ts";
import type { TimeSpan } from "./span.ts";

/** What a log adds to the item of its hour: `s` and `f` count successes and failures. */
export function minuteIncrements(minute: string, { status }: CaptureLog): Record<string, number> {
  return { [`${status[0]}${minute}`]: 1 };
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = 24;

/** Hours of a day from 0 to 23, both included. */
export interface HourRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The hours of a day in the order in which to look for a place: those that are likely to hold so large a share of its
 * captures, from 0 to 1, from its end or from its beginning, and then the others. `now` is in milliseconds since 1970.
 */
export function searchOrder(
  { from: midnight }: Pick<TimeSpan, "from">,
  { isNewestFirst, share, now }: { isNewestFirst: boolean; share: number; now: number },
): HourRange[] {
  const begun = Math.min(HOURS, Math.max(1, Math.ceil((now - midnight) / HOUR_MS)));
  const likely = Math.ceil(begun * share) + 1; // one more, as captures do not come evenly
  const border = Math.min(HOURS, Math.max(0, isNewestFirst ? begun - likely : likely));
  const older = { first: 0, last: border - 1 };
  const newer = { first: border, last: HOURS - 1 };
  return (isNewestFirst ? [newer, older] : [older, newer]).filter(({ first, last }) => first <= last);
}

/** An item as it is stored; `sk` ends with the hour. */
const HourItem = v.objectWithRest({ pk: v.string(), sk: v.string(), api_key_id: v.number() }, v.number());

/**
 * Hours of a day as spans, newest first: each minute with a match is one, and so is all between two of them. `items` are
 * those of the day's keys; captures of other keys are taken to be spread over it evenly. Throws for what is no such item.
 */
export function minuteSpans(
  { from: midnight, elsewhere }: Pick<DaySpan, "from" | "elsewhere">,
  items: readonly unknown[],
  { status, hours }: Pick<StatusAndKey, "status"> & { hours: HourRange },
): TimeSpan[] {
  const unseen = (elsewhere * MINUTE_MS) / (HOURS * HOUR_MS);
  const minutes = new Map<number, { matches: number; others: number }>();
  for (const { minute, initial, count } of items.flatMap(countsOf)) {
    const counted = minutes.get(minute) ?? { matches: 0, others: 0 };
    minutes.set(minute, counted);
    counted[status === undefined || status.startsWith(initial) ? "matches" : "others"] += count;
  }

  const spans: TimeSpan[] = [];
  for (let minute = (hours.last + 1) * 60 - 1; minute >= hours.first * 60; minute--) {
    const from = midnight + minute * MINUTE_MS;
    const { matches, others } = minutes.get(minute) ?? { matches: 0, others: 0 };
    const newer = spans.at(-1);
    if (matches === 0 && newer?.matches === 0) {
      spans[spans.length - 1] = { ...newer, from, others: newer.others + others + unseen };
    } else {
      spans.push({ from, to: from + MINUTE_MS, matches, others: others + unseen });
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
