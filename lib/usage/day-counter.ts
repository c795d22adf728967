// Counters of captures per UTC day and API key: what lists are located by and statistics are made of.
import type { UsageFilter } from "../contract/usage-options.ts";
import type { statuses } from "./capture-log.ts";

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

type StatusAndKey = Pick<UsageFilter, "status" | "api_key_id">;

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

/** Which logs of which days make up a page: on each day, so many to skip and so many to take, newest first. */
export function locatePage(
  days: readonly DayCount[],
  { page, perPage }: { page: number; perPage: number },
): { total: number; slices: { date: string; skip: number; take: number }[] } {
  const slices: { date: string; skip: number; take: number }[] = [];
  let skip = (page - 1) * perPage;
  let take = perPage;
  let total = 0;
  for (const { date, success, failed } of days) {
    const count = success + failed;
    total += count;
    const taken = Math.min(take, Math.max(0, count - skip));
    if (taken > 0) slices.push({ date, skip, take: taken });
    skip = Math.max(0, skip - count);
    take -= taken;
  }
  return { total, slices };
}
