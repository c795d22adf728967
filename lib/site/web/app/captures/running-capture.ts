// Asynchronous captures that are in no log yet, because they are queued or being processed.
import type { CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";

/** A job that ended this long ago at most can still be missing in the log, which is read with a delay. */
const LOG_DELAY_MS = 30_000;

export function isRunning({ status }: CaptureState): boolean {
  return status === "queued" || status === "processing";
}

interface RunningFilter {
  /** Ids that the list of captures has. */
  readonly listed: ReadonlySet<number>;
  /** The filters of the list. */
  readonly filters: URLSearchParams;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The jobs that stand above a list of captures: those that run, and those that have just ended and are not in it yet. */
export function runningCaptures(
  jobs: readonly CaptureState[],
  { listed, filters, now }: RunningFilter,
): readonly CaptureState[] {
  if (!mayRun(filters)) return [];
  const [format, url] = [filters.get("format"), filters.get("url")?.toLowerCase()];
  return jobs.filter(
    (job) =>
      !listed.has(job.request_id) &&
      (isRunning(job) || hasJustEnded(job, now)) &&
      (format === null || job.format === format) &&
      (url === undefined || (job.page_url ?? "").toLowerCase().includes(url)),
  );
}

/** True for filters that a capture can match before it has a result. */
export function mayRun(filters: URLSearchParams): boolean {
  return [...filters].every(
    ([name, value]) => name === "format" || name === "url" || (name === "asynchronous" && value === "true"),
  );
}

/** A capture that was cancelled is never logged. */
function hasJustEnded({ finished_at, error }: CaptureState, now: number): boolean {
  return finished_at !== null && error?.code !== "CANCELLED" && now - Date.parse(finished_at) < LOG_DELAY_MS;
}
