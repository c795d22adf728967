// How many captures an account has, by its counters: what the progress of an export or a deletion is measured by.
import type { Environment } from "../platform/environment.ts";
import { queryDayCounters } from "../usage/counter-store.ts";
import { countDays } from "../usage/day-counter.ts";
import type { SearchFilter } from "../usage/usage-options.ts";

/** Counts the captures of the filter's days at `now` (milliseconds since 1970). Its other conditions are ignored. */
export async function countCaptures(
  accountId: number,
  { from, to }: Pick<SearchFilter, "from" | "to">,
  { now, env }: { readonly now: number; readonly env: Pick<Environment, "USAGE_TABLE" | "USAGE_RETENTION_DAYS"> },
): Promise<number> {
  const view = { usage: env.USAGE_TABLE, retentionDays: env.USAGE_RETENTION_DAYS, accountId, now };
  const days = countDays(await queryDayCounters(view, { from, to }), {});
  return days.reduce((sum, { success, failed }) => sum + success + failed, 0);
}
