// The capture that runs for this tab, in its storage, so that a page that is loaded again finds it.
import { readStoredJson, store } from "../shared/storage.ts";
import type { RequestOptions } from "./request-options.ts";

const STORED_CAPTURE = "playground-running";

export interface RunningCapture {
  readonly requestId: number;
  readonly sent: RequestOptions;
  /** When it was requested, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Undefined if none runs. */
export function readRunningCapture(): RunningCapture | undefined {
  const { requestId, sent, startedAt } = (readStoredJson("sessionStorage", STORED_CAPTURE) ?? {}) as RunningCapture;
  const isWhole = Number.isSafeInteger(requestId) && Number.isFinite(startedAt) && typeof sent === "object";
  return isWhole && sent !== null ? { requestId, sent, startedAt } : undefined;
}

export function storeRunningCapture(capture?: RunningCapture): void {
  store("sessionStorage", STORED_CAPTURE, capture && JSON.stringify(capture));
}
