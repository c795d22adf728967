// Work that follows a response: the client does not wait for it, and the invocation does.
import { logError } from "../platform/log.ts";

export interface FollowingWork {
  /**
   * Runs `work` after the response is sent, or at once where it is sent already. All work starts in the order of these calls. An error
   * is logged as `failure`, and fails neither the request nor other work.
   */
  readonly afterResponse: (work: () => unknown, failure?: string) => void;
  /** Call it when the response is sent, or cannot be sent. Resolves when all work has ended; never rejects. */
  readonly responded: () => Promise<void>;
}

/** The work that follows the response to a request. */
export function followingWork(): FollowingWork {
  const waiting: (() => Promise<void>)[] = [];
  const running: Promise<void>[] = [];
  let isSent = false;
  const afterResponse: FollowingWork["afterResponse"] = (work, failure = "work after the response failed") => {
    const run = () =>
      Promise.try(work).then(
        () => undefined,
        (error) => logError(failure, error),
      );
    if (isSent) running.push(run());
    else waiting.push(run);
  };
  const responded = async () => {
    isSent = true;
    for (const run of waiting.splice(0)) running.push(run());
    while (running.length > 0) await Promise.all(running.splice(0));
  };
  return { afterResponse, responded };
}
