// The time budget of a capture: how the caller's timeout is divided among waits, capture and delivery. Pure; in milliseconds.

/** Points in time on the clock of `now`. */
export interface Budget {
  /** When the capture must have its result. */
  readonly deadline: number;
  /** When all waits end: the rest is for capturing a page that was late. */
  readonly waitsEnd: number;
  /** With `on_timeout=capture`, when the last painted frame is taken: the rest is for delivering it. */
  readonly lastMoment: number;
  /** True when a wait gives up by its own maximum only: the capture fails rather than to shorten one. */
  readonly isExact?: true;
}

/** Reserved for the capture: a share of the timeout, at most 2 s. With `on_timeout=capture` the share is larger. */
const CAPTURE_SHARE = { fail: 1 / 8, capture: 1 / 4 };
const MAX_CAPTURE_RESERVE_MS = 2_000;

/** Reserved for encoding and delivering the last painted frame: a share of the timeout, at most half a second. */
const DELIVERY_SHARE = 1 / 8;
const MAX_DELIVERY_RESERVE_MS = 500;

/** A wait that may give up takes at most this share of the remaining time. */
const SOFT_SHARE = 1 / 2;

/** Recording a video may claim at most half of the timeout. */
const RECORDING_SHARE = 1 / 2;

export interface BudgetOptions {
  /** @default fail */
  readonly onTimeout?: "fail" | "capture" | undefined;
  /** Time that recording a video is expected to take once the page is ready. @default 0 */
  readonly recordingMs?: number;
  /** @default false */
  readonly isExact?: boolean;
}

/** `startedAt` is on the clock of `now`. */
export function createBudget(
  startedAt: number,
  timeoutSeconds: number,
  { onTimeout = "fail", recordingMs = 0, isExact = false }: BudgetOptions = {},
): Budget {
  const whole = timeoutSeconds * 1000;
  const deadline = startedAt + whole;
  const reserve = Math.min(whole * CAPTURE_SHARE[onTimeout], MAX_CAPTURE_RESERVE_MS);
  return {
    deadline,
    waitsEnd: deadline - Math.max(reserve, Math.min(recordingMs, whole * RECORDING_SHARE)),
    lastMoment: deadline - Math.min(whole * DELIVERY_SHARE, MAX_DELIVERY_RESERVE_MS),
    ...(isExact && { isExact }),
  };
}

/** Milliseconds until the deadline. */
export function remaining(budget: Budget, now: number): number {
  return Math.max(0, budget.deadline - now);
}

/** Milliseconds for a wait that the caller requested, or whose timeout fails the capture. */
export function hardAllowance(budget: Budget, now: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(longest, Math.max(0, budget.waitsEnd - now));
}

/** Milliseconds for a wait after which the capture goes on with what there is; `longest` is its maximum. */
export function softAllowance(budget: Budget, now: number, longest: number): number {
  return Math.min(longest, remaining(budget, now) * (budget.isExact ? 1 : SOFT_SHARE));
}
