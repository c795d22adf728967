// Watches for the cancellation of a job that this worker holds: polls for the mark that a DELETE leaves.

import { withHeartbeat } from "../platform/heartbeat.ts";
import { logError } from "../platform/log.ts";
import { cancelledError } from "./cancelled-error.ts";
import type { Job } from "./job.ts";
import { findCancellation } from "./job-store.ts";

/**
 * Milliseconds between two polls, each of which is one read unit. Most captures end after one or two. A cancelled capture is to end
 * within two seconds; killing Chromium and the transaction take some tenths of them.
 */
const POLL_MS = 1_000;

/**
 * Resolves to the result of `work`, and aborts its signal once the job is to be cancelled, with the error with which the job then ends.
 */
export async function watchCancellation<T>(
  table: string,
  job: Job,
  work: (cancellation: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const poll = async () => {
    try {
      const cancellation = signal.aborted ? undefined : await findCancellation(table, job);
      if (cancellation) controller.abort(cancelledError({ ...job, ...cancellation }));
    } catch (error) {
      // The next poll may succeed.
      logError("cancellation not read", error);
    }
  };
  return withHeartbeat(() => work(signal), poll, POLL_MS);
}
