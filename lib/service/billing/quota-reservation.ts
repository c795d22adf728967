// Quota reservation: takes a capture from the account's quota before it is rendered, and gives it back when none is attempted.
// The end of a failed capture (captures/commit.ts) gives it back as well.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { plans } from "../../contract/plans.ts";
import type { Caller } from "../account/account.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { isTrial, periodAt } from "./billing-period.ts";
import {
  type FailingOptions,
  type FreeFailureUse,
  failingOptions,
  freeFailureLimit,
  freeFailuresReserved,
  freeFailuresUsed,
} from "./free-failures.ts";
import { keyLimitExceeded, keyLimitIn } from "./key-limit.ts";
import { readCounts } from "./period-store.ts";
import {
  type Allowance,
  allowanceFor,
  creditFor,
  failuresExceeded,
  isTrialOver,
  quotaExceeded,
  testAllowance,
  trialsPaused,
} from "./quota.ts";
import {
  readUsedQuota,
  releaseFailure,
  releaseQuota,
  reserveFailure,
  reserveForKey,
  reserveInPeriod,
} from "./quota-store.ts";
import { findTrialPause } from "./trial-pause.ts";

type QuotaResources = Pick<Environment, "USAGE_TABLE">;

/** Longer than any function can hold a reservation, so that an expired one has no holder. */
const RESERVED_MS = 3 * 60 * 1000;
/** The same for a job, which waits until those before it are rendered. */
const JOB_RESERVED_MS = 24 * 60 * 60 * 1000;

/**
 * A capture of the account's quota. Disposing of it releases the quota, unless the record of the capture settled it or a
 * job took it over.
 */
export class QuotaReservation implements AsyncDisposable {
  readonly allowance: Allowance;
  /** How many captures of the quota and of the key's limit remain after this one; undefined without a cap. */
  readonly remaining: number | undefined;
  readonly #table: string;
  readonly #error: ApiError | undefined;
  #isOpen: boolean;

  /**
   * `state` is the error of an account or a key that has nothing left, `QUOTA_EXCEEDED` or `FREE_FAILURES_USED`, or how much of each cap
   * remains after this capture; undefined without a cap.
   */
  constructor(
    allowance: Allowance,
    { USAGE_TABLE }: QuotaResources,
    state?: ApiError | { readonly remaining: number },
  ) {
    this.allowance = allowance;
    this.#table = USAGE_TABLE;
    this.#error = state instanceof ApiError ? state : undefined;
    this.#isOpen = this.#error === undefined;
    this.remaining = state instanceof ApiError ? remainingOf(state) : state?.remaining;
  }

  /** False when nothing is left: only a result that exists already can be served then, because it is free. */
  get isGranted(): boolean {
    return this.#error === undefined;
  }

  /** Throws `QUOTA_EXCEEDED` or `FREE_FAILURES_USED` when nothing is left. Code that renders or enqueues a capture calls it first. */
  require(): void {
    if (this.#error) throw this.#error;
  }

  /** From now on the log of the capture, or its job, accounts for the quota. */
  settle(): void {
    this.#isOpen = false;
  }

  /** Gives the quota back, once. */
  async release(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await releaseQuota(this.#table, this.allowance);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It expires by itself, and must not hide the error with which its request ends.
    await this.release().catch((error) => logError("quota reservation not released", error));
  }
}

/** Of a quota that is used up nothing remains. */
function remainingOf({ code }: ApiError): number | undefined {
  return code === "QUOTA_EXCEEDED" ? 0 : undefined;
}

export interface QuotaRequest {
  readonly caller: Caller;
  readonly options: Pick<CaptureOptions, "format" | "async"> & FailingOptions;
  /** When the request was received, in milliseconds since 1970: it counts for the billing period of that moment. */
  readonly receivedAt: number;
}

/**
 * Reserves quota for a capture, and a free failure if its own options can make it fail. An account or an API key that has nothing left
 * gets a reservation whose `require` throws.
 */
export async function reserveQuota(
  { caller, options, receivedAt }: QuotaRequest,
  env: QuotaResources,
): Promise<QuotaReservation> {
  const now = Date.now();
  const times = { receivedAt, now, until: now + (options.async ? JOB_RESERVED_MS : RESERVED_MS) };
  const reservation = await reserveCounted(caller, plannedAllowance(caller, options.format, receivedAt), times, env);
  const names = failingOptions(options);
  if (names.length === 0 || !reservation.isGranted) return reservation;
  await using undo = new AsyncDisposableStack();
  undo.use(reservation);
  const allowance: Allowance = { ...reservation.allowance, reservesFailure: true };
  const error = await reserveFreeFailure(allowance, { options: names }, times, env);
  if (error) return new QuotaReservation(reservation.allowance, env, error);
  undo.move();
  const { remaining } = reservation;
  return new QuotaReservation(allowance, env, remaining === undefined ? undefined : { remaining });
}

/** How long a reservation holds in which the account cancels a capture, in milliseconds: the worker ends it within seconds. */
const CANCELLATION_RESERVED_MS = 60_000;

/**
 * Reserves a free failure for the cancellation of a capture that is being rendered. Disposing of the result releases it, unless it was
 * moved. Throws `FREE_FAILURES_USED`.
 */
export async function reserveCancellation(allowance: Allowance, env: QuotaResources): Promise<AsyncDisposableStack> {
  const now = Date.now();
  const times = { now, until: now + CANCELLATION_RESERVED_MS };
  const reserved = new AsyncDisposableStack();
  if (allowance.reservesFailure) return reserved;
  const error = await reserveFreeFailure(allowance, "cancellation", times, env);
  if (error) throw error;
  reserved.defer(() => releaseFailure(env.USAGE_TABLE, allowance));
  return reserved;
}

/**
 * Reserves a free failure. Resolves to `FREE_FAILURES_USED` when the account has as many as its successes, which are counted only once it
 * has many failures; and to `RATE_LIMITED` while captures in progress may need those that are left.
 */
async function reserveFreeFailure(
  allowance: Allowance,
  use: FreeFailureUse,
  times: { readonly now: number; readonly until: number },
  { USAGE_TABLE }: QuotaResources,
): Promise<ApiError | undefined> {
  const limit = freeFailureLimit(0);
  if ((await reserveFailure(USAGE_TABLE, { ...allowance, limit }, times)).isReserved) return undefined;
  const { accountId, period, quota } = allowance;
  const counts = quota.name === "tests" ? NO_COUNTS : await readCounts(USAGE_TABLE, accountId, period);
  const raised = freeFailureLimit(counts.screenshots + counts.videos);
  const {
    taken,
    isReserved,
    inProgress = 0,
  } = await reserveFailure(USAGE_TABLE, { ...allowance, limit: raised }, times);
  if (isReserved) return undefined;
  const used = taken - inProgress;
  return used < raised ? freeFailuresReserved(raised) : freeFailuresUsed(use, { used, limit: raised, period });
}

/** Captures with keys for tests, of which an account has at most as many a day as it has free failures. */
const NO_COUNTS = { screenshots: 0, videos: 0 };

interface ReservationTimes {
  readonly receivedAt: number;
  readonly now: number;
  readonly until: number;
}

async function reserveCounted(
  caller: Caller,
  planned: Allowance,
  times: ReservationTimes,
  env: QuotaResources,
): Promise<QuotaReservation> {
  const { keyLimit } = planned;
  if (!keyLimit) return reserveOfAccount(caller, planned, times, env);
  const limited = { ...planned, keyLimit };
  const { taken, isReserved } = await reserveForKey(env.USAGE_TABLE, limited, times);
  if (!isReserved) {
    const resetsAt = isTrial(limited.period) ? null : limited.period.end;
    return new QuotaReservation(limited, env, keyLimitExceeded(keyLimit, { taken, resetsAt }));
  }
  await using undo = new AsyncDisposableStack();
  undo.defer(() => releaseQuota(env.USAGE_TABLE, limited));
  const reservation = await reserveOfAccount(caller, limited, times, env);
  if (!reservation.isGranted) return reservation;
  undo.move();
  const remaining = Math.max(0, keyLimit.captures - taken);
  return new QuotaReservation(reservation.allowance, env, {
    remaining: Math.min(remaining, reservation.remaining ?? remaining),
  });
}

/** The allowance under the plan of the account, and the limit of the API key. */
function plannedAllowance(caller: Caller, format: CaptureOptions["format"], receivedAt: number): Allowance {
  const { account } = caller;
  const period = periodAt(account, receivedAt);
  const capture = {
    accountId: account.id,
    attempt: randomBytes(16).toString("hex"),
    credit: creditFor(format),
    period,
  };
  const keyLimit = keyLimitIn(caller, period);
  return allowanceFor({ ...capture, ...(keyLimit && { keyLimit }) }, plans[account.plan]);
}

async function reserveOfAccount(
  caller: Caller,
  planned: Allowance,
  times: ReservationTimes,
  env: QuotaResources,
): Promise<QuotaReservation> {
  const { USAGE_TABLE } = env;
  const { now } = times;
  // A trial that is over or paused allows no tests either, which cost as much.
  const isOver = planned.isCapped && isTrialOver(planned, now);
  const allowance = isTestCaller(caller) && !isOver ? testAllowance(planned, times.receivedAt) : planned;
  if (!allowance.isCapped) return new QuotaReservation(allowance, env);
  const until = planned.isCapped ? await findTrialPause(USAGE_TABLE, now) : undefined;
  if (until !== undefined) {
    const taken = await readUsedQuota(USAGE_TABLE, allowance, now);
    return new QuotaReservation(allowance, env, trialsPaused(allowance, { taken, until }));
  }
  const { taken, isReserved, isAtBound } = isOver
    ? { taken: await readUsedQuota(USAGE_TABLE, allowance, now), isReserved: false }
    : await reserveInPeriod(USAGE_TABLE, allowance, times);
  const remaining = Math.max(0, allowance.quota.limit - taken);
  const exceeded = isAtBound ? failuresExceeded : quotaExceeded;
  return new QuotaReservation(allowance, env, isReserved ? { remaining } : exceeded(allowance, { taken, now }));
}
