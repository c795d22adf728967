// Which captures have a log, and which are still running, as far as this page of the browser has heard: their pages then ask for nothing
// that isn't there.
import type { CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";
import { isRunning } from "./running-capture.ts";

export type KnownState = "running" | "logged";

const states = new Map<number, KnownState>();

export function rememberJobs(jobs: readonly CaptureState[]): void {
  for (const job of jobs) {
    if (isRunning(job)) states.set(job.request_id, "running");
    else states.delete(job.request_id);
  }
}

export function rememberLogs(ids: readonly number[]): void {
  for (const id of ids) states.set(id, "logged");
}

/** Undefined for a capture that this page has not heard of. */
export function knownState(id: number): KnownState | undefined {
  return states.get(id);
}
