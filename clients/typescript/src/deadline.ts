// Time limits: aborts work that takes too long, and says so with a `TimeoutError`.
import { TimeoutError } from "./api-error.ts";

export interface Deadline {
  /** What takes the time, for the message, such as `GET /api/v1/account`. */
  readonly task: string;
  readonly timeoutMs: number;
  /** Aborts earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs `work` with a signal that aborts after `timeoutMs`. Throws a `TimeoutError` then, or the reason of `signal`. */
export async function withDeadline<T>(
  { task, timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (!timeout.aborted || signal?.aborted) throw error;
    throw new TimeoutError(`${task} took longer than ${timeoutMs} ms. Raise 'timeoutMs'.`);
  }
}
