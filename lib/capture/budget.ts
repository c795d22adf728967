// How a capture's time is shared out: pure arithmetic over the caller's timeout. All times are milliseconds.

/** The whole of a capture's time: it must have answered by `deadline`, a point on the clock `now` is read from. */
export interface Budget {
  readonly deadline: number;
}

/** Longest time for the target to begin answering, unless the timeout is shorter. */
const NAVIGATION_MS = 30_000;

/** Kept back from navigation, so that a page that came late can still be captured: an eighth, at most 2 s. */
const CAPTURE_SHARE = 1 / 8;
const CAPTURE_RESERVE_MS = 2_000;

/** Encoding and sending a frame that is at hand. */
const LAST_RESERVE_MS = 500;

/** A wait that gives up quietly never takes more than this share of what is left. */
const SOFT_SHARE = 1 / 2;

export function createBudget(startedAt: number, timeoutSeconds: number): Budget {
  return { deadline: startedAt + timeoutSeconds * 1000 };
}

export function remaining(budget: Budget, now: number): number {
  return Math.max(0, budget.deadline - now);
}

/** Time after which a capture that must not fail of it takes what there is: enough is kept back to send that. */
export function lastMoment(budget: Budget, now: number): number {
  const left = remaining(budget, now);
  return left - Math.min(left * CAPTURE_SHARE, LAST_RESERVE_MS);
}

/** Time for a wait that fails the capture when it is over. */
export function hardAllowance(budget: Budget, now: number, longest = NAVIGATION_MS): number {
  const left = remaining(budget, now);
  return Math.min(longest, left - Math.min(left * CAPTURE_SHARE, CAPTURE_RESERVE_MS));
}

/** Time for a wait that gives up and goes on with what is there. */
export function softAllowance(budget: Budget, now: number, longest: number): number {
  return Math.min(longest, remaining(budget, now) * SOFT_SHARE);
}
