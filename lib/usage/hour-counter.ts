// Captures per minute and API key: one item for each hour, with its minutes as attributes. Lists use them to find a place
// within a busy day.
import type { CaptureLog } from "./capture-log.ts";

/** What a log adds to the item of its hour: `s` and `f` count successes and failures. */
export function minuteCounts(minute: string, { status }: CaptureLog): Record<string, number> {
  return { [`${status[0]}${minute}`]: 1 };
}
