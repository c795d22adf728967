// When the lines of a request are written, which its id says.
import { idTime } from "../platform/ids.ts";
import type { LogFilter } from "./log-line.ts";

/** The clocks of servers differ. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Webhooks are retried for 18 hours. A search is billed by the time that it covers. */
const MAX_REQUEST_MS = 24 * 3_600_000;

/** The lines of a request, within a day after it. */
export function requestFilter(id: number): LogFilter {
  const time = idTime(id);
  return { ids: new Set([String(id)]), since: time - CLOCK_TOLERANCE_MS, until: time + MAX_REQUEST_MS };
}
