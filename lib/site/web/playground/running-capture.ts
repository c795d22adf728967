// The capture that runs for this tab, in its storage, so that a page that is loaded again finds it.
import type { RequestOptions } from "./request-options.ts";

const STORED_CAPTURE = "playground-running";

export interface RunningCapture {
  readonly requestId: number;
  readonly sent: RequestOptions;
  /** When it was requested, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Undefined if none runs. */
export function readRunningCapture(storage: Pick<Storage, "getItem">): RunningCapture | undefined {
  try {
    const { requestId, sent, startedAt } = JSON.parse(storage.getItem(STORED_CAPTURE) ?? "{}");
    const isWhole = Number.isSafeInteger(requestId) && Number.isFinite(startedAt) && typeof sent === "object";
    return isWhole && sent !== null ? { requestId, sent, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

export function storeRunningCapture(storage: Pick<Storage, "setItem" | "removeItem">, capture?: RunningCapture): void {
  try {
    if (capture) storage.setItem(STORED_CAPTURE, JSON.stringify(capture));
    else storage.removeItem(STORED_CAPTURE);
  } catch {}
}
