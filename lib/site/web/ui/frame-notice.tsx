// Above a screen: that its session has ended, or when its requests are sent again.
import type { ComponentChildren } from "preact";
import { formatWait } from "./format.ts";
import { useCountdown } from "./use-countdown.ts";

/** The children lead to signing in again. */
export function EndedNotice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice frame-notice" role="alert">
      <p>Your session has ended.</p>
      {children}
    </div>
  );
}

/** `until` is in milliseconds since 1970. */
export function PauseNotice({ until }: { readonly until: number }) {
  const seconds = useCountdown(until);
  if (seconds === 0) return null;
  return (
    <div class="notice frame-notice" role="status">
      <p>
        This page has sent more requests than are allowed in a minute. It goes on by itself{" "}
        <span aria-live="off">in {formatWait(seconds)}</span>.
      </p>
    </div>
  );
}
