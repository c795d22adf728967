// Usage statistics over a range of days, from counters alone.

import { DAY_MS, startOfDay, utcDay } from "./day.ts";
import type { DayCount } from "./day-counter.ts";
import type { StatisticsOptions } from "./usage-options.ts";

export interface Statistics {
  readonly series: readonly { date: string; success: number; failed: number; avg_ms: number }[];
  readonly total: number;
  readonly total_success: number;
  readonly total_failed: number;
  /** Integer percentage of successful captures, 0 without captures. */
  readonly success_rate: number;
  readonly avg_response_ms: number;
}

/** A range of UTC days, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the requested range: from `from`, or for `days` days, up to `to`, or today. `now` is milliseconds since 1970.
 */
export function dayRange({ from, to, days }: StatisticsOptions, now: number): DayRange {
  const last = to ?? utcDay(now);
  return { from: from ?? utcDay(startOfDay(last) - (days - 1) * DAY_MS), to: last };
}

/** Returns the statistics of a range; `series` has every day, including days without captures, newest first. */
export function statistics(counts: readonly DayCount[], { from, to }: DayRange): Statistics {
  const byDate = new Map(counts.map((count) => [count.date, count]));
  const series = [];
  for (let time = startOfDay(to); time >= startOfDay(from); time -= DAY_MS) {
    const date = utcDay(time);
    const { success = 0, failed = 0, milliseconds = 0 } = byDate.get(date) ?? {};
    series.push({ date, success, failed, avg_ms: average(milliseconds, success + failed) });
  }
  const sum = (pick: (count: DayCount) => number) => counts.reduce((total, count) => total + pick(count), 0);
  const [success, failed] = [sum((count) => count.success), sum((count) => count.failed)];
  const total = success + failed;
  return {
    series,
    total,
    total_success: success,
    total_failed: failed,
    success_rate: total === 0 ? 0 : Math.floor((success / total) * 100),
    avg_response_ms: average(
      sum((count) => count.milliseconds),
      total,
    ),
  };
}

function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round(sum / count);
}
