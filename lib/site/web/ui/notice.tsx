// A problem, in the place where it arose, with another try.
import { useContext, useEffect } from "preact/hooks";
import type { RequestError } from "./api.ts";
import { formatWait } from "./format.ts";
import { FrameContext } from "./frame.ts";
import { useCountdown } from "./use-countdown.ts";

interface NoticeProps {
  readonly problem: RequestError;
  /** Once the service has said when, it is called by itself. */
  readonly retry?: () => void;
  readonly id?: string;
}

export function Notice({ problem, retry, id }: NoticeProps) {
  const frame = useContext(FrameContext);
  const hasEnded = frame !== undefined && problem.status === 401 && problem.triesLeft === undefined;
  useEffect(() => {
    if (hasEnded) frame.endSession();
  }, [hasEnded, frame]);
  if (hasEnded) return null; // it is shown above the screen
  const { retryAt } = problem;
  return (
    <div class="notice" role="alert" {...(id !== undefined && { id })}>
      {retryAt === undefined ? (
        <p>{problem.message}</p>
      ) : (
        <Wait text={problem.message} until={retryAt} {...(retry && { onEnd: retry })} />
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

interface WaitProps {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly onEnd?: () => void;
}

/** A text with the seconds that are left in place of those at the time of the answer. */
function Wait({ text, until, onEnd }: WaitProps) {
  const seconds = useCountdown(until);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) onEnd?.();
  }, [isOver]);
  return (
    <p>
      {text.replace(/ ?Try again in \d+ s\.$/, "")} {/* A screen reader is not told each second. */}
      <span aria-live="off">{isOver ? "Try again now." : `Try again in ${formatWait(seconds)}.`}</span>
    </p>
  );
}
