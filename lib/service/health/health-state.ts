// What `GET /health` says of captures: the last outcome of the canary, read at most every ten seconds.
import { logError } from "../platform/log.ts";
import { type CanaryOutcome, findCanaryOutcome } from "./canary-store.ts";

/** A check older than this says nothing: the canary runs every five minutes. */
const STALE_MS = 16 * 60_000;
const REREAD_MS = 10_000;

export interface CaptureHealth {
  readonly status: "ok" | "failing" | "unknown";
  readonly checked_at: string | null;
}

/** The state of captures at `now` (milliseconds since 1970), after the last outcome of the canary. */
export function captureHealth(outcome: CanaryOutcome | undefined, now: number): CaptureHealth {
  if (!outcome) return { status: "unknown", checked_at: null };
  const { is_right, checked_at } = outcome;
  if (now - Date.parse(checked_at) > STALE_MS) return { status: "unknown", checked_at };
  return { status: is_right ? "ok" : "failing", checked_at };
}

let lastRead: { readonly outcome: CanaryOutcome | undefined; readonly at: number } | undefined;

/** Reads the state of captures. It is unknown while the table cannot be read: the function that answers is alive even so. */
export async function readCaptureHealth(table: string, now: number): Promise<CaptureHealth> {
  try {
    if (!lastRead || now - lastRead.at > REREAD_MS) lastRead = { outcome: await findCanaryOutcome(table), at: now };
    return captureHealth(lastRead.outcome, now);
  } catch (error) {
    logError("health not read", error);
    return captureHealth(undefined, now);
  }
}
