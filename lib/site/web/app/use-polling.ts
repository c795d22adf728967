// Polling with back-off: asks again and again while the page is visible, more seldom while nothing happens.
import { useEffect, useRef } from "preact/hooks";

const FIRST_DELAY_MS = 4_000;
const BACKOFF_FACTOR = 1.5;
const MAX_DELAY_MS = 60_000;
/** While captures run, a visitor waits for them. */
export const MAX_DELAY_RUNNING_MS = 8_000;

interface Polling {
  readonly isEnabled: boolean;
  /** Describes what was found last: when it changes, the delay starts again. */
  readonly found: string;
  /** In milliseconds. */
  readonly maxDelayMs?: number;
}

/** Calls `poll` of the last rendering: after a delay that grows, and at once when the page becomes visible again. */
export function usePolling(poll: () => void, { isEnabled, found, maxDelayMs = MAX_DELAY_MS }: Polling): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    if (!isEnabled) return undefined;
    let delayMs = FIRST_DELAY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      timer = setTimeout(() => {
        latest.current();
        delayMs = Math.min(delayMs * BACKOFF_FACTOR, maxDelayMs);
        schedule();
      }, delayMs);
    };
    const changeVisibility = () => {
      if (document.visibilityState === "visible") {
        delayMs = FIRST_DELAY_MS;
        latest.current();
      }
      schedule();
    };
    schedule();
    document.addEventListener("visibilitychange", changeVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", changeVisibility);
    };
  }, [isEnabled, found, maxDelayMs]);
}
