// Breaks captures down by format, host, and API key, with percentiles of their times: from the logs themselves, because a counter
// for each host would be another write of each capture.
import { percentile } from "../platform/percentile.ts";
import type { CaptureLog } from "./capture-log.ts";

/** Captures that share a name. */
export interface Share {
  readonly name: string;
  readonly total: number;
  readonly failed: number;
  readonly cached: number;
}

export interface Breakdown {
  readonly total: number;
  readonly cached: number;
  /** Milliseconds of captures that succeeded and that no cache answered; 0 without any. */
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly formats: readonly Share[];
  readonly hosts: readonly Share[];
  readonly api_keys: readonly Share[];
}

type BrokenDown = Pick<
  CaptureLog,
  "url" | "format" | "status" | "cached" | "response_time_ms" | "api_key_id" | "api_key"
>;

/** The largest shares that are returned of hosts and keys; the rest is in none. */
export const MAX_SHARES = 20;

/** Returns the breakdown of these logs. A capture of HTML or Markdown has the host `""`. */
export function breakDown(logs: readonly BrokenDown[]): Breakdown {
  const times = logs
    .filter(({ status, cached }) => status === "success" && !cached)
    .map(({ response_time_ms }) => response_time_ms)
    .toSorted((a, b) => a - b);
  return {
    total: logs.length,
    cached: logs.filter(({ cached }) => cached).length,
    p50_ms: percentile(times, 0.5) ?? 0,
    p95_ms: percentile(times, 0.95) ?? 0,
    formats: sharesBy(logs, ({ format }) => format),
    hosts: sharesBy(logs, ({ url }) => URL.parse(url)?.host ?? ""),
    api_keys: sharesBy(logs, ({ api_key_id }) => String(api_key_id)),
  };
}

function sharesBy(logs: readonly BrokenDown[], nameOf: (log: BrokenDown) => string): Share[] {
  return [...Map.groupBy(logs, nameOf)]
    .map(([name, group]) => ({
      name,
      total: group.length,
      failed: group.filter(({ status }) => status === "failed").length,
      cached: group.filter(({ cached }) => cached).length,
    }))
    .toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SHARES);
}
