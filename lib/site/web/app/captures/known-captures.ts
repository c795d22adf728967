// Which captures have a log, and which are still running, as far as this page of the browser has heard: their pages then ask for nothing
// that isn't there.
import type { CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";
import { isRunning } from "./running-capture.ts";

export type CapturePlace = "running" | "logged";

const places = new Map<number, CapturePlace>();

export function rememberJobs(jobs: readonly CaptureState[]): void {
  for (const job of jobs) {
    if (isRunning(job)) places.set(job.request_id, "running");
    else places.delete(job.request_id);
  }
}

export function rememberLogs(ids: readonly number[]): void {
  for (const id of ids) places.set(id, "logged");
}

/** Undefined for a capture that this page has not heard of. */
export function knownPlace(id: number): CapturePlace | undefined {
  return places.get(id);
}
