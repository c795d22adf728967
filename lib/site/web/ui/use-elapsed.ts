// Counts the seconds since a time.
import { useEffect, useState } from "preact/hooks";

/** Whole seconds since a time in milliseconds since 1970; 0 without one. */
export function useElapsed(since: number | undefined): number {
  const elapsed = () => (since === undefined ? 0 : Math.max(0, Math.floor((Date.now() - since) / 1000)));
  const [seconds, setSeconds] = useState(elapsed);
  useEffect(() => {
    setSeconds(elapsed());
    if (since === undefined) return undefined;
    const timer = setInterval(() => setSeconds(elapsed()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return seconds;
}
