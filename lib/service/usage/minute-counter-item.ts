// Items of the minute counters: captures per minute and API key, one item per hour with an attribute per minute. They locate a page
// within a busy day.
import * as v from "valibot";
import type { CaptureLog } from "./capture-log.ts";
import type { DaySpan, StatusAndKey } from "./day-counter.ts";
import type { TimeSpan } from "./span.ts";

/**
 * Returns the increments of a log entry for its hour's item: `s` and `f` plus the minute count successes and failures.
 */
export function minuteIncrements(minute: string, { status }: CaptureLog): Record<string, number> {
  return { [`${status[0]}${minute}`]: 1 };
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = 24;

/** Hours of a day from 0 to 23, both inclusive. */
export interface HourRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Splits a day into the hours likelyHours to contain the wanted share of its captures (0 to 1, counted from its newest or
 * its oldest end) and the rest, in the order in which to read them. `now` is milliseconds since 1970.
 */
export function searchOrder(
  { from: midnight }: Pick<TimeSpan, "from">,
  { isNewestFirst, share, now }: { isNewestFirst: boolean; share: number; now: number },
): HourRange[] {
  const startedHours = Math.min(HOURS, Math.max(1, Math.ceil((now - midnight) / HOUR_MS)));
  const likelyHours = Math.ceil(startedHours * share) + 1; // one more, because captures are not evenly spread
  const border = Math.min(HOURS, Math.max(0, isNewestFirst ? startedHours - likelyHours : likelyHours));
  const older = { first: 0, last: border - 1 };
  const newer = { first: border, last: HOURS - 1 };
  return (isNewestFirst ? [newer, older] : [older, newer]).filter(({ first, last }) => first <= last);
}

/** A stored item; the third part of `sk` is the hour. */
const HourItem = v.objectWithRest({ pk: v.string(), sk: v.string(), api_key_id: v.number() }, v.number());

/**
 * Divides hours of a day into spans, newest first: one per minute with matches, and one for each gap between them.
 * `items` are those of the keys with matches; captures of other keys are assumed to be evenly spread. Throws for an
 * item of another shape.
 */
export function minuteSpans(
  { from: midnight, otherKeys }: Pick<DaySpan, "from" | "otherKeys">,
  items: readonly unknown[],
  { status, hours }: Pick<StatusAndKey, "status"> & { hours: HourRange },
): TimeSpan[] {
  const otherKeysPerMinute = (otherKeys * MINUTE_MS) / (HOURS * HOUR_MS);
  const minutes = new Map<number, { matches: number; others: number }>();
  for (const { minute, initial, count } of items.flatMap(parseMinuteCounts)) {
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
      spans[spans.length - 1] = { ...newer, from, others: newer.others + others + otherKeysPerMinute };
    } else {
      spans.push({ from, to: from + MINUTE_MS, matches, others: others + otherKeysPerMinute });
    }
  }
  return spans;
}

/** Parses the counts of an item by minute of the day. */
function parseMinuteCounts(item: unknown): { minute: number; initial: string; count: number }[] {
  const { pk: _, sk, api_key_id: __, ttl: ___, ...counts } = v.parse(HourItem, item);
  const hour = Number(sk.split("#")[2]);
  return Object.entries(counts).map(([name, count]) => ({
    minute: hour * 60 + Number(name.slice(1)),
    initial: name.slice(0, 1),
    count: Number(count),
  }));
}
