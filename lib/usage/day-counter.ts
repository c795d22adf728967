// Counters of captures per UTC day and API key: what lists are located by and statistics are made of.

import type { captureStatuses } from "./capture-log.ts";
import { DAY_MS, startOfDay } from "./day.ts";
import type { TimeSpan } from "./span.ts";
import type { UsageFilter } from "./usage-options.ts";

export interface DayCounter {
  readonly date: string;
  readonly api_key_id: number;
  readonly success: number;
  readonly failed: number;
  /** Sums of response times in milliseconds. */
  readonly success_ms: number;
  readonly failed_ms: number;
}

type Status = (typeof captureStatuses)[number];

/** Captures of one day that a filter lets through. */
export interface DayCount {
  readonly date: string;
  readonly success: number;
  readonly failed: number;
  /** Sum of their response times in milliseconds. */
  readonly milliseconds: number;
}

export type StatusAndKey = Pick<UsageFilter, "status" | "api_key_id">;

/** False where every capture passes. */
export function isFiltered({ status, api_key_id }: StatusAndKey): boolean {
  return status !== undefined || api_key_id !== undefined;
}

/** One count per day that has any matching capture, newest first. */
export function countDays(counters: readonly DayCounter[], filter: StatusAndKey): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const counter of counters) {
    if (filter.api_key_id !== undefined && counter.api_key_id !== filter.api_key_id) continue;
    const wanted = (status: Status, amount: number) =>
      filter.status === undefined || filter.status === status ? amount : 0;
    const day = days.get(counter.date) ?? { date: counter.date, success: 0, failed: 0, milliseconds: 0 };
    days.set(counter.date, {
      date: counter.date,
      success: day.success + wanted("success", counter.success),
      failed: day.failed + wanted("failed", counter.failed),
      milliseconds: day.milliseconds + wanted("success", counter.success_ms) + wanted("failed", counter.failed_ms),
    });
  }
  return [...days.values()]
    .filter(({ success, failed }) => success + failed > 0)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** A day as a span of time, with what it takes to look into it. */
export interface DaySpan extends TimeSpan {
  /** The API keys of its matches. */
  readonly keys: readonly number[];
  /** Captures of all other keys, which are part of `others`. */
  readonly elsewhere: number;
}

/** Every day that has any capture, newest first. */
export function daySpans(counters: readonly DayCounter[], filter: StatusAndKey): DaySpan[] {
  const days = [...Map.groupBy(counters, ({ date }) => date)].sort(([a], [b]) => (a < b ? 1 : -1));
  return days.map(([date, ofDay]) => {
    const from = startOfDay(date);
    const all = sum(ofDay.map(({ success, failed }) => success + failed));
    const ofKeys = ofDay.filter((counter) => matchesIn(counter, filter) > 0);
    const matches = sum(ofKeys.map((counter) => matchesIn(counter, filter)));
    return {
      from,
      to: from + DAY_MS,
      matches,
      others: all - matches,
      keys: ofKeys.map(({ api_key_id }) => api_key_id),
      elsewhere: all - sum(ofKeys.map(({ success, failed }) => success + failed)),
    };
  });
}

function matchesIn({ api_key_id, success, failed }: DayCounter, filter: StatusAndKey): number {
  if (filter.api_key_id !== undefined && filter.api_key_id !== api_key_id) return 0;
  return (filter.status === "failed" ? 0 : success) + (filter.status === "success" ? 0 : failed);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
