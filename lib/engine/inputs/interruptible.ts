// Work on hostile input that cannot be trusted to end: parsers and tree walks.
import { runInNewContext } from "node:vm";

/** The work took longer than it may (`time`) or overflowed the stack (`depth`). */
export class InterruptedError extends Error {
  override name = "WorkAbandonedError";
  readonly reason: "time" | "depth";

  constructor(reason: "time" | "depth", cause: unknown) {
    super(`abandoned because of ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Does synchronous work, which blocks the event loop for at most `timeoutMs`. Throws `WorkAbandonedError`. */
export function interruptible<T>(timeoutMs: number, work: () => T): T {
  try {
    // A script's timeout is the one way to interrupt synchronous code without a thread; it also covers what the script calls.
    return runInNewContext("work()", { work }, { timeout: Math.max(1, Math.floor(timeoutMs)) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new InterruptedError("time", cause);
    }
    if (cause instanceof RangeError) throw new InterruptedError("depth", cause);
    throw cause;
  }
}
