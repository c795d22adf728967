// Tainted sandbox: one that may hold remains of a page, or cannot start a browser, ends its process and takes no
// further capture.
import { logError } from "../../service/platform/log.ts";
import { emitMetrics } from "../../service/platform/metrics.ts";

let isTainted = false;

/** Makes this process exit once its response is sent. Logs `reason` and `error`. */
export function markSandboxTainted(reason: string, error: unknown): void {
  isTainted = true;
  logError(reason, error);
  emitMetrics({ TaintedSandboxes: 1 }, { reason });
}

/** True once this process takes no further capture. */
export function isSandboxTainted(): boolean {
  return isTainted;
}

/**
 * Exits the process of a tainted sandbox; called after the response is sent and everything is recorded. Lambda then
 * starts a new process. The invocation counts as an error, which triggers the alarm, although the caller has the
 * response. An unacknowledged SQS message is delivered again and finds its job finished.
 */
export function exitTaintedSandbox(): void {
  if (isTainted) process.exit(1);
}
