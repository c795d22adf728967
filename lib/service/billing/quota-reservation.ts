// Quota reservation: takes the captures of a request from the account's quota before they are rendered, and gives back those that are not
// attempted.
// The end of a failed capture (captures/commit.ts) gives it back as well.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { plans } from "../../contract/plans.ts";
import type { Caller } from "../account/account.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { periodAt } from "./billing-period.ts";
import { captureLimitsAt, limitExceeded, listLimits } from "./capture-limits.ts";
import {
  type FailingOptions,
  type FreeFailureUse,
  failingOptions,
  freeFailureLimit,
  freeFailuresReserved,
  freeFailuresUsed,
} from "./free-failures.ts";
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
  reserveInLimit,
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
  /** How many captures of the quota and of other limits remain after this one, and others of its request; undefined without a cap. */
  readonly remaining: number | undefined;
  readonly #table: string;
  readonly #error: ApiError | undefined;
  #isOpen: boolean;

  /**
   * `state` is the error of an account or a key that has nothing left, `QUOTA_EXCEEDED` or `FREE_FAILURES_USED`, or how much of each cap
   * remains; undefined without a cap.
   */
  constructor(
    allowance: Allowance,
    { USAGE_TABLE }: QuotaResources,
    state?: ApiError | { readonly remaining: number | undefined },
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
    await cleanUp(() => this.release(), "quota reservation not released"); // it expires by itself
  }
}

/** Of a quota that is used up nothing remains. */
function remainingOf({ code }: ApiError): number | undefined {
  return code === "QUOTA_EXCEEDED" ? 0 : undefined;
}

/** Releases quota. Never rejects: a reservation that isn't released expires. */
export async function releaseAll(reservations: readonly QuotaReservation[]): Promise<void> {
  await Promise.all(reservations.map((reservation) => reservation[Symbol.asyncDispose]()));
}

/**
 * Throws unless every output of a request has quota: all of them are captured, or none. The error is that of the first output without
 * quota, and states for how many outputs there is quota, if for any.
 */
export function requireQuotaForAll(outputs: readonly { readonly reservation: QuotaReservation }[]): void {
  const granted = outputs.filter(({ reservation }) => reservation.isGranted).length;
  for (const { reservation } of outputs) {
    try {
      reservation.require();
    } catch (error) {
      if (!(error instanceof ApiError) || granted === 0) throw error;
      const message = `The request has ${outputs.length} outputs, and there is quota for ${granted} of them, so nothing was captured. ${error.message}`;
      const figures = error.figures ? { figures: error.figures } : {};
      throw new ApiError(error.code, message, { ...figures, headers: error.headers });
    }
  }
}

interface QuotaOutput {
  readonly options: Pick<CaptureOptions, "format" | "async"> & FailingOptions;
}

export interface QuotaRequest<Outputs extends readonly QuotaOutput[] = readonly QuotaOutput[]> {
  readonly caller: Caller;
  /** One, or the `outputs` of the request. */
  readonly outputs: Outputs;
  /** When the request was received, in milliseconds since 1970: it counts for the billing period of that moment. */
  readonly receivedAt: number;
}

/** A reservation for each output, in their order. */
type Reservations<Outputs extends readonly QuotaOutput[]> = { readonly [Index in keyof Outputs]: QuotaReservation };

/**
 * Reserves quota for each output of a request, and a free failure for each whose own options can make it fail: with one write for each
 * counter if it has enough for all, and otherwise for one output after the other. An output for which an account or an API key has nothing
 * left gets a reservation whose `require` throws.
 */
export async function reserveQuota<const Outputs extends readonly QuotaOutput[]>(
  request: QuotaRequest<Outputs>,
  env: QuotaResources,
): Promise<Reservations<Outputs>> {
  const reservations = await reserveTogether(request, env);
  const isFinal = request.outputs.length === 1 || areGranted(reservations);
  return (isFinal ? reservations : await reserveInTurn(request, env)) as Reservations<Outputs>;
}

function areGranted(reservations: readonly QuotaReservation[]): boolean {
  return reservations.every(({ isGranted }) => isGranted);
}

/** Reserves quota for one output after the other, so that the first ones get what is left. */
async function reserveInTurn({ outputs, ...facts }: QuotaRequest, env: QuotaResources): Promise<QuotaReservation[]> {
  const reservations: QuotaReservation[] = [];
  try {
    for (const output of outputs) reservations.push(...(await reserveTogether({ ...facts, outputs: [output] }, env)));
  } catch (error) {
    await releaseAll(reservations);
    throw error;
  }
  return reservations;
}

/** Reserves quota for all outputs, or for none: then all reservations have the error of the first counter that has not enough for all. */
async function reserveTogether(
  { caller, outputs, receivedAt }: QuotaRequest,
  env: QuotaResources,
): Promise<readonly QuotaReservation[]> {
  const now = Date.now();
  const isJob = outputs.some(({ options }) => options.async);
  const times = { receivedAt, now, until: now + (isJob ? JOB_RESERVED_MS : RESERVED_MS) };
  const planned = outputs.map(({ options }) => plannedAllowance(caller, options.format, receivedAt));
  const reservations = await reserveCounted(caller, planned, times, env);
  const names = outputs.map(({ options }) => failingOptions(options));
  const failing = reservations.filter((_, index) => names[index]?.length);
  if (failing.length === 0 || !areGranted(reservations)) return reservations;
  await using undo = new AsyncDisposableStack();
  undo.defer(() => releaseAll(reservations));
  const error = await reserveFreeFailures(allowancesFrom(failing), { options: names.flat() }, times, env);
  if (error) return refuseAll(allowancesFrom(reservations), error, env);
  undo.move();
  return reservations.map((reservation) => {
    const { allowance, remaining } = reservation;
    if (!failing.includes(reservation)) return reservation;
    return new QuotaReservation({ ...allowance, reservesFailure: true }, env, { remaining });
  });
}

function allowancesFrom(reservations: readonly QuotaReservation[]): readonly Allowance[] {
  return reservations.map(({ allowance }) => allowance);
}

function refuseAll(allowances: readonly Allowance[], error: ApiError, env: QuotaResources): QuotaReservation[] {
  return allowances.map((allowance) => new QuotaReservation(allowance, env, error));
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
  const error = await reserveFreeFailures([allowance], "cancellation", times, env);
  if (error) throw error;
  reserved.defer(() => cleanUp(() => releaseFailure(env.USAGE_TABLE, allowance), "free failure not released"));
  return reserved;
}

/**
 * Reserves a free failure for each of the captures of an account, or none. Resolves to `FREE_FAILURES_USED` when the account has as many as
 * its successes, which are counted only once it has many failures; and to `RATE_LIMITED` while captures in progress may need those that
 * are left.
 */
async function reserveFreeFailures(
  allowances: readonly Allowance[],
  use: FreeFailureUse,
  times: { readonly now: number; readonly until: number },
  { USAGE_TABLE }: QuotaResources,
): Promise<ApiError | undefined> {
  const [first] = allowances;
  const atLeast = { limit: freeFailureLimit(0), ...times };
  if (!first || (await reserveFailure(USAGE_TABLE, allowances, atLeast)).isReserved) return undefined;
  const { accountId, period, quota } = first;
  const counts = quota.name === "tests" ? NO_COUNTS : await readCounts(USAGE_TABLE, accountId, period);
  const limit = freeFailureLimit(counts.screenshots + counts.videos);
  const { taken, isReserved, inProgress = 0 } = await reserveFailure(USAGE_TABLE, allowances, { limit, ...times });
  if (isReserved) return undefined;
  const used = taken - inProgress;
  return used < limit ? freeFailuresReserved(limit) : freeFailuresUsed(use, { used, limit, period });
}

/** Captures with keys for tests: an account has at most as many a day as it has free failures. */
const NO_COUNTS = { screenshots: 0, videos: 0 };

interface ReservationTimes {
  readonly receivedAt: number;
  readonly now: number;
  readonly until: number;
}

async function reserveCounted(
  caller: Caller,
  planned: readonly Allowance[],
  times: ReservationTimes,
  env: QuotaResources,
): Promise<readonly QuotaReservation[]> {
  const [first] = planned;
  const limits = first ? listLimits(first) : []; // those of all outputs
  if (!first || limits.length === 0) return reserveOfAccount(caller, planned, times, env);
  await using undo = new AsyncDisposableStack();
  const left: number[] = [];
  for (const limit of limits) {
    const { taken, isReserved } = await reserveInLimit(env.USAGE_TABLE, planned, { limit, ...times });
    if (!isReserved) return refuseAll(planned, limitExceeded(limit, { taken, period: first.period }), env);
    // Disposing of one releases all of its counters, and does nothing where there is no reservation yet.
    if (left.length === 0) for (const allowance of planned) undo.use(new QuotaReservation(allowance, env));
    left.push(Math.max(0, limit.captures - taken));
  }
  const reservations = await reserveOfAccount(caller, planned, times, env);
  if (!areGranted(reservations)) return reservations;
  undo.move();
  return reservations.map(({ allowance, remaining }) => {
    return new QuotaReservation(allowance, env, {
      remaining: Math.min(...left, remaining ?? Number.POSITIVE_INFINITY),
    });
  });
}

/** The allowance under the plan of the account, and the limits of the account and of the API key. */
function plannedAllowance(caller: Caller, format: CaptureOptions["format"], receivedAt: number): Allowance {
  const { account } = caller;
  const period = periodAt(account, receivedAt);
  const capture = {
    accountId: account.id,
    attempt: randomBytes(16).toString("hex"),
    credit: creditFor(format),
    period,
  };
  const limits = captureLimitsAt(caller, { period, now: receivedAt });
  return allowanceFor({ ...capture, ...limits }, plans[account.plan]);
}

async function reserveOfAccount(
  caller: Caller,
  planned: readonly Allowance[],
  times: ReservationTimes,
  env: QuotaResources,
): Promise<readonly QuotaReservation[]> {
  const { now } = times;
  const isCapped = planned.some((allowance) => allowance.isCapped); // all are under the same plan
  // A trial that is over or paused allows no tests either, which cost as much.
  const isOver = isCapped && planned.some((allowance) => isTrialOver(allowance, now));
  const isTest = isTestCaller(caller) && !isOver;
  const allowances = isTest ? planned.map((allowance) => testAllowance(allowance, times.receivedAt)) : planned;
  const pausedUntil = isCapped ? await findTrialPause(env.USAGE_TABLE, now) : undefined;
  const remaining = new Map<string, number | undefined>();
  await using undo = new AsyncDisposableStack();
  for (const [name, ofQuota] of Map.groupBy(allowances, ({ quota }) => quota.name)) {
    const state = await reserveOfQuota(ofQuota, { isOver, pausedUntil }, times, env);
    if (state instanceof ApiError) return refuseAll(allowances, state, env);
    for (const allowance of ofQuota) undo.use(new QuotaReservation(allowance, env));
    remaining.set(name, state);
  }
  undo.move();
  return allowances.map((allowance) => {
    return new QuotaReservation(allowance, env, { remaining: remaining.get(allowance.quota.name) });
  });
}

/** Reserves captures of one quota. Resolves to how many remain of it, undefined without a cap, or to the error if it has not enough. */
async function reserveOfQuota(
  allowances: readonly Allowance[],
  { isOver, pausedUntil }: { readonly isOver: boolean; readonly pausedUntil: number | undefined },
  times: ReservationTimes,
  { USAGE_TABLE }: QuotaResources,
): Promise<ApiError | number | undefined> {
  const [allowance] = allowances;
  if (!allowance?.isCapped) return undefined;
  const { now } = times;
  if (pausedUntil !== undefined) {
    const taken = await readUsedQuota(USAGE_TABLE, allowance, now);
    return trialsPaused(allowance, { taken, until: pausedUntil });
  }
  const { taken, isReserved, isAtBound } = isOver
    ? { taken: await readUsedQuota(USAGE_TABLE, allowance, now), isReserved: false }
    : await reserveInPeriod(USAGE_TABLE, allowances, times);
  const exceeded = isAtBound ? failuresExceeded : quotaExceeded;
  return isReserved ? Math.max(0, allowance.quota.limit - taken) : exceeded(allowance, { taken, now });
}
