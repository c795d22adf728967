// Counts the seconds down to a time.
import { useEffect, useState } from "preact/hooks";

/** Whole seconds until a time in milliseconds since 1970; 0 from then on. */
export function useCountdown(until: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    setSeconds(secondsLeft());
    const timer = setInterval(() => {
      setSeconds(secondsLeft());
      if (secondsLeft() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
