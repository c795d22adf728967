// A sandbox in which something of a page may be left, or that cannot start a browser: it takes no other capture.
import { logError } from "../../platform/log.ts";

let isCondemned = false;

/** From now on this process is to end as soon as its answer is out. `reason` and `error` are logged. */
export function markSandboxTainted(reason: string, error: unknown): void {
  isCondemned = true;
  logError(reason, error);
}

/**
 * Ends the process of a condemned sandbox, called when an answer has been sent and all is recorded. Lambda then starts
 * the function anew, with nothing of the former processes: an invocation that ends so counts as an error, which is what
 * the alarm is for, though its caller has the answer. A message that is not acknowledged comes again and finds its job
 * to be over.
 */
export function exitTaintedSandbox(): void {
  if (isCondemned) process.exit(1);
}
