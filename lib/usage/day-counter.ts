// Counters of captures per UTC day and API key: what lists are located by and statistics are made of.
import type { UsageFilter } from "../contract/usage-options.ts";
import type { statuses } from "./capture-log.ts";
import { DAY_MS, startOf } from "./day.ts";
import type { Span } from "./span.ts";

export interface DayCounter {
  readonly date: string;
  readonly api_key_id: number;
  readonly success: number;
  readonly failed: number;
  /** Sums of response times in milliseconds. */
  readonly success_ms: number;
  readonly failed_ms: number;
}

type Status = (typeof statuses)[number];

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

/** Every day that has any capture as a span of time, newest first. */
export function daySpans(counters: readonly DayCounter[], filter: StatusAndKey): Span[] {
  const sum = ({ success, failed }: DayCount) => success + failed;
  const matching = new Map(countDays(counters, filter).map((count) => [count.date, sum(count)]));
  return countDays(counters, {}).map((count) => {
    const from = startOf(count.date);
    const matches = matching.get(count.date) ?? 0;
    return { from, to: from + DAY_MS, matches, others: sum(count) - matches };
  });
}
