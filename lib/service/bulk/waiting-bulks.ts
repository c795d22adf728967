// Bulk requests that wait for their captures: each holds an execution of its function, so their number is bounded.
import { type RunningOperation, startOperation } from "../aws/running-count.ts";
import { waitingBulksKey } from "../aws/table-keys.ts";
import type { Environment } from "../platform/environment.ts";
import { BULK_DEADLINE_S } from "./bulk-options.ts";

/** Counts a bulk request that waits from `now` (milliseconds since 1970) on. Undefined when as many wait as may. */
export async function startWaiting(
  now: number,
  { USAGE_TABLE, MAX_WAITING_BULKS }: Pick<Environment, "USAGE_TABLE" | "MAX_WAITING_BULKS">,
): Promise<RunningOperation | undefined> {
  const maxDurationMs = BULK_DEADLINE_S * 1000;
  return startOperation({ table: USAGE_TABLE, key: waitingBulksKey, limit: MAX_WAITING_BULKS, maxDurationMs }, now);
}
