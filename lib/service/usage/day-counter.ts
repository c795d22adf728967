// Aggregates capture counters per UTC day and API key, for statistics and for locating pages of the usage list.

import type { captureStatuses } from "./capture-log.ts";
import { DAY_MS, startOfDay } from "./day.ts";
import type { TimeSpan } from "./span.ts";
import type { UsageFilter } from "./usage-options.ts";

export interface DayCounter {
  readonly date: string;
  readonly api_key_id: number;
  readonly success: number;
  readonly failed: number;
  /** Sum of response times in milliseconds. */
  readonly success_ms: number;
  readonly failed_ms: number;
}

/** Adds up the counters of each day and API key, which can come from several shards. */
export function addShards(counters: readonly DayCounter[]): DayCounter[] {
  const groups = Map.groupBy(counters, ({ date, api_key_id }) => `${date} ${api_key_id}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    const add = (name: "success" | "failed" | "success_ms" | "failed_ms") =>
      first[name] + sum(others.map((shard) => shard[name]));
    return {
      ...first,
      success: add("success"),
      failed: add("failed"),
      success_ms: add("success_ms"),
      failed_ms: add("failed_ms"),
    };
  });
}

type Status = (typeof captureStatuses)[number];

/** Captures of one day that match a filter. */
export interface DayCount {
  readonly date: string;
  readonly success: number;
  readonly failed: number;
  /** Sum of their response times in milliseconds. */
  readonly milliseconds: number;
}

export type StatusAndKey = Pick<UsageFilter, "status" | "api_key_id">;

/** True when the filter can exclude captures. */
export function isFiltered({ status, api_key_id }: StatusAndKey): boolean {
  return status !== undefined || api_key_id !== undefined;
}

/** Returns one count per day with a matching capture, newest first. */
export function countDays(counters: readonly DayCounter[], filter: StatusAndKey): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const counter of counters) {
    if (filter.api_key_id !== undefined && counter.api_key_id !== filter.api_key_id) continue;
    const amountFor = (status: Status, amount: number) =>
      filter.status === undefined || filter.status === status ? amount : 0;
    const day = days.get(counter.date) ?? { date: counter.date, success: 0, failed: 0, milliseconds: 0 };
    days.set(counter.date, {
      date: counter.date,
      success: day.success + amountFor("success", counter.success),
      failed: day.failed + amountFor("failed", counter.failed),
      milliseconds:
        day.milliseconds + amountFor("success", counter.success_ms) + amountFor("failed", counter.failed_ms),
    });
  }
  return [...days.values()]
    .filter(({ success, failed }) => success + failed > 0)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** A day as a time span, with the facts needed to divide it into minutes. */
export interface DaySpan extends TimeSpan {
  /** API keys with matches. */
  readonly keys: readonly number[];
  /** Captures of the other keys; included in `others`. */
  readonly otherKeys: number;
}

/** Returns every day with a capture, newest first. */
export function daySpans(counters: readonly DayCounter[], filter: StatusAndKey): DaySpan[] {
  const days = [...Map.groupBy(counters, ({ date }) => date)].sort(([a], [b]) => (a < b ? 1 : -1));
  return days.map(([date, dayCounters]) => {
    const from = startOfDay(date);
    const all = sum(dayCounters.map(({ success, failed }) => success + failed));
    const matchingCounters = dayCounters.filter((counter) => countMatching(counter, filter) > 0);
    const matches = sum(matchingCounters.map((counter) => countMatching(counter, filter)));
    return {
      from,
      to: from + DAY_MS,
      matches,
      others: all - matches,
      keys: matchingCounters.map(({ api_key_id }) => api_key_id),
      otherKeys: all - sum(matchingCounters.map(({ success, failed }) => success + failed)),
    };
  });
}

function countMatching({ api_key_id, success, failed }: DayCounter, filter: StatusAndKey): number {
  if (filter.api_key_id !== undefined && filter.api_key_id !== api_key_id) return 0;
  return (filter.status === "failed" ? 0 : success) + (filter.status === "success" ? 0 : failed);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
