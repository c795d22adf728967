// The error of work that ran out of time.

/**
 * Work did not finish in its time. The message says what it was waiting for and completes "waiting for …"; it may be
 * empty. The capture turns it into `CAPTURE_TIMEOUT`, which names the phase and the pending requests.
 */
export class TimeoutError extends Error {
  /** The option whose time was over, where it isn't `timeout`. */
  readonly limit: "navigation_timeout" | undefined;

  constructor(message?: string, { limit, ...options }: ErrorOptions & { readonly limit?: "navigation_timeout" } = {}) {
    super(message, options);
    this.limit = limit;
  }
}
