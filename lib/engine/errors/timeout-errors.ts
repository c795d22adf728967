// The error and the warning of a capture whose time ran out: what it was waiting for, and the pending requests.

import { ApiError, type TargetReport } from "../../contract/errors/api-error.ts";
import { truncateReport } from "./target-report.ts";

/** URLs in the details of a timeout. */
const MAX_LISTED = 10;

export interface TimeoutReport {
  readonly phase: string;
  /** What the capture was waiting for: completes "waiting for …"; may be empty. */
  readonly awaited: string;
  /** URLs of the requests without a response. */
  readonly pending: readonly string[];
  /** What helps, in the imperative; see `timeoutAdvice`. */
  readonly advice: readonly string[];
}

/** The error of a capture that ran out of time: names the phase, the wait and the pending requests. `target` is undefined if no page was tried. */
export function captureTimeout(
  { phase, awaited, pending, advice }: TimeoutReport,
  target: TargetReport | undefined,
): ApiError {
  const listed = pending.slice(0, MAX_LISTED).map(truncateReport);
  const more = pending.length > listed.length ? [`and ${pending.length - listed.length} more`] : [];
  const open = pending.length === 1 ? "1 request was" : `${pending.length} requests were`;
  const waiting = pending.length > 0 ? ` ${open} still pending; see details.` : "";
  return new ApiError(
    "CAPTURE_TIMEOUT",
    `The capture timed out in the phase '${phase}'${awaited && ` while waiting for ${awaited}`}.${waiting} ${adviceSentence(advice)}`,
    { details: { phase: [phase], pending: [...listed, ...more] }, ...(target && { target }) },
  );
}

/** For example `Raise timeout, wait for less with wait_until, or set on_timeout=capture.` */
function adviceSentence(advice: readonly string[]): string {
  if (advice.length === 0) return "The times that you can set are at their maximum; the page has to respond sooner.";
  const listed = advice.length < 3 ? advice.join(" or ") : `${advice.slice(0, -1).join(", ")}, or ${advice.at(-1)}`;
  return `${listed.charAt(0).toUpperCase()}${listed.slice(1)}.`;
}

/** The warning of a capture that was taken when its time ran out, before the page was ready. */
export function capturedBeforeReady(awaited: string, pending: readonly string[]): string {
  const still = pending.length > 0 ? ` Still pending: ${describePending(pending)}.` : "";
  return `The page was captured before it was ready: the time ran out while waiting for ${awaited}.${still}`;
}

/** Describes pending requests: the first URL, and the number of others. */
export function describePending([first, ...more]: readonly string[]): string {
  if (first === undefined) return "nothing on the network";
  return more.length > 0 ? `${truncateReport(first)} and ${more.length} more` : truncateReport(first);
}
