// How a capture's time is shared out: pure arithmetic over the caller's timeout. All times are milliseconds.

/** The whole of a capture's time, as points on the clock `now` is read from. */
export interface Budget {
  /** It must have answered by then. */
  readonly deadline: number;
  /** Nothing is waited for any longer: what remains is for the picture of a page that came late. */
  readonly waitsEnd: number;
  /** A capture that must not fail takes the frame that is at hand: what remains is for sending that. */
  readonly lastMoment: number;
}

/** Kept back from the waits: a share of the whole, at most 2 s. More, where a late picture is better than none. */
const CAPTURE_SHARE = { fail: 1 / 8, capture: 1 / 4 };
const CAPTURE_RESERVE_MS = 2_000;

/** Encoding and sending a frame that is at hand: a share of the whole, at most half a second. */
const LAST_SHARE = 1 / 8;
const LAST_RESERVE_MS = 500;

/** A wait that gives up quietly never takes more than this share of what is left. */
const SOFT_SHARE = 1 / 2;

/** A page that keeps its film waiting leaves it half of the time at least. */
const FILM_SHARE = 1 / 2;

export interface BudgetOptions {
  /** @default fail */
  readonly onTimeout?: "fail" | "capture" | undefined;
  /** Time that a film is expected to take once the page is ready. @default 0 */
  readonly filmMs?: number;
}

export function createBudget(
  startedAt: number,
  timeoutSeconds: number,
  { onTimeout = "fail", filmMs = 0 }: BudgetOptions = {},
): Budget {
  const whole = timeoutSeconds * 1000;
  const deadline = startedAt + whole;
  const reserve = Math.min(whole * CAPTURE_SHARE[onTimeout], CAPTURE_RESERVE_MS);
  return {
    deadline,
    waitsEnd: deadline - Math.max(reserve, Math.min(filmMs, whole * FILM_SHARE)),
    lastMoment: deadline - Math.min(whole * LAST_SHARE, LAST_RESERVE_MS),
  };
}

export function remaining(budget: Budget, now: number): number {
  return Math.max(0, budget.deadline - now);
}

/** Time for a wait that the caller asked for, or that fails the capture when it is over. */
export function hardAllowance(budget: Budget, now: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(longest, Math.max(0, budget.waitsEnd - now));
}

/** Time for a wait that gives up and goes on with what is there. */
export function softAllowance(budget: Budget, now: number, longest: number): number {
  return Math.min(longest, remaining(budget, now) * SOFT_SHARE);
}
