// Runs synchronous work on hostile input, such as parsers and tree walks, with a timeout.
import { runInNewContext } from "node:vm";

/** The work exceeded its time (`time`) or the call stack (`depth`). */
export class InterruptedError extends Error {
  override name = "InterruptedError";
  readonly reason: "time" | "depth";

  constructor(reason: "time" | "depth", cause: unknown) {
    super(`interrupted because of ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Runs synchronous work that blocks the event loop for at most `timeoutMs`. Throws `InterruptedError`. */
export function runInterruptible<T>(timeoutMs: number, work: () => T): T {
  try {
    // The timeout of a `vm` script is the only way to interrupt synchronous code without a thread; it covers the
    // functions the script calls.
    return runInNewContext("work()", { work }, { timeout: Math.max(1, Math.floor(timeoutMs)) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new InterruptedError("time", cause);
    }
    if (cause instanceof RangeError) throw new InterruptedError("depth", cause);
    throw cause;
  }
}
