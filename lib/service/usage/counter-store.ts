// Reads capture counters (pre-aggregated per day and per minute) from the Usage table.
import { queryItems } from "../aws/items.ts";
import { AFTER_ALL, hourKey, monthsPartition } from "../aws/table-keys.ts";
import { addShards, type DayCounter } from "./day-counter.ts";
import { readDayCounters } from "./day-counter-item.ts";
import type { HourRange } from "./minute-counter-item.ts";
import { oldestShownDay } from "./retention.ts";
import type { UsageFilter } from "./usage-options.ts";

/** Table, account and retention of a counter query. `now` is milliseconds since 1970. */
export interface CounterQuery {
  readonly usage: string;
  readonly retentionDays: number;
  readonly accountId: number;
  readonly now: number;
}

/** Returns the day counters from one UTC day to another, both inclusive, limited to the retention. */
export async function queryDayCounters(
  { usage, retentionDays, accountId, now }: CounterQuery,
  { from = "", to = AFTER_ALL }: Pick<UsageFilter, "from" | "to">,
): Promise<DayCounter[]> {
  const oldest = oldestShownDay(now, retentionDays);
  const first = from > oldest ? from : oldest;
  if (to < first) return [];
  const items = await queryItems(usage, monthsPartition(accountId), {
    first: first.slice(0, 7),
    last: to.slice(0, 7) + AFTER_ALL,
  });
  return addShards(items.flatMap(readDayCounters).filter(({ date }) => date >= first && date <= to));
}

/** Returns the hour items of one API key for a range of hours of a day, with all shards. */
export function queryHourItems(
  { usage, accountId }: CounterQuery,
  { date, apiKeyId, hours }: { date: string; apiKeyId: number; hours: HourRange },
): Promise<unknown[]> {
  const itemKey = (hour: number) => hourKey(accountId, date, apiKeyId, String(hour).padStart(2, "0"));
  const first = itemKey(hours.first);
  return queryItems(usage, first.pk, { first: first.sk, last: itemKey(hours.last).sk + AFTER_ALL });
}
