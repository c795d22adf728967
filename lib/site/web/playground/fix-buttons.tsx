// The fixes of an error or of a problem as buttons. One that has to wait counts the seconds down.
import { useEffect, useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import type { Fix } from "./fix.ts";

export type ApplyFix = (fix: Fix) => void;

interface FixButtonsProps {
  readonly fixes: readonly Fix[];
  readonly onFix: ApplyFix;
}

export function FixButtons({ fixes, onFix }: FixButtonsProps) {
  if (fixes.length === 0) return null;
  return (
    <p class="actions fixes">
      {fixes.map((fix) =>
        "path" in fix ? (
          <a key={fix.label} class="button" href={`${apiBaseUrl}${fix.path}`} target="_blank" rel="noreferrer">
            {fix.label}
          </a>
        ) : "retryAfterS" in fix && fix.retryAfterS > 0 ? (
          <RetryButton key={fix.label} fix={fix} seconds={fix.retryAfterS} onFix={onFix} />
        ) : (
          <button key={fix.label} type="button" onClick={() => onFix(fix)}>
            {fix.label}
          </button>
        ),
      )}
    </p>
  );
}

interface RetryButtonProps {
  readonly fix: Fix;
  readonly seconds: number;
  readonly onFix: ApplyFix;
}

function RetryButton({ fix, seconds, onFix }: RetryButtonProps) {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.ceil((end - now) / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <button type="button" aria-disabled={left > 0} onClick={() => left <= 0 && onFix(fix)}>
      {fix.label}
      {/* Without assistive technology, which would read each second. */}
      {left > 0 && (
        <span class="figure" aria-hidden="true">
          in {left} s
        </span>
      )}
    </button>
  );
}
