// Above a screen: that its session has ended, or when its requests are sent again.
import { formatWait } from "./format.ts";
import { signInPath } from "./return-path.ts";
import { addressOf } from "./router.ts";
import { useCountdown } from "./use-countdown.ts";

/** With the way back to the screen at `path`. */
export function EndedNotice({ path }: { readonly path: string }) {
  return (
    <div class="notice frame-notice" role="alert">
      <p>Your session has ended.</p>
      <a class="button button-primary" href={addressOf(signInPath(path))}>
        Sign in again
      </a>
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
        The dashboard has sent more requests than are allowed in a minute. It goes on by itself{" "}
        <span aria-live="off">in {formatWait(seconds)}</span>.
      </p>
    </div>
  );
}
