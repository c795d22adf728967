// Quota reservation: takes a capture from the account's quota before it is rendered, and gives it back when none is attempted.
// The end of a failed capture (captures/commit.ts) gives it back as well.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { plans } from "../../contract/plans.ts";
import type { Caller } from "../account/account.ts";
import { isTestCaller } from "../captures/mark-capture.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { periodAt } from "./billing-period.ts";
import {
  type Allowance,
  allowanceFor,
  creditFor,
  isTrialOver,
  quotaExceeded,
  testAllowance,
  trialsPaused,
} from "./quota.ts";
import { readUsedQuota, releaseQuota, reserveInPeriod } from "./quota-store.ts";
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
  /** How many captures of the quota remain after this one; undefined without a cap. */
  readonly remaining: number | undefined;
  readonly #table: string;
  readonly #error: ApiError | undefined;
  #isOpen: boolean;

  /**
   * `state` is the `QUOTA_EXCEEDED` of an account that has nothing left, or how much of its capped quota is taken with this capture;
   * undefined without a cap.
   */
  constructor(allowance: Allowance, { USAGE_TABLE }: QuotaResources, state?: ApiError | { readonly taken: number }) {
    this.allowance = allowance;
    this.#table = USAGE_TABLE;
    this.#error = state instanceof ApiError ? state : undefined;
    this.#isOpen = this.#error === undefined;
    this.remaining = quotaRemaining(allowance, state);
  }

  /** False when nothing is left: only a result that exists already can be served then, because it is free. */
  get isGranted(): boolean {
    return this.#error === undefined;
  }

  /** Throws `QUOTA_EXCEEDED` when nothing is left. Code that renders or enqueues a capture calls it first. */
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

function quotaRemaining(
  { quota }: Allowance,
  state: ApiError | { readonly taken: number } | undefined,
): number | undefined {
  if (state instanceof ApiError) return 0;
  return state && Math.max(0, quota.limit - state.taken);
}

export interface QuotaRequest {
  readonly caller: Caller;
  readonly options: Pick<CaptureOptions, "format" | "async">;
  /** When the request was received, in milliseconds since 1970: it counts for the billing period of that moment. */
  readonly receivedAt: number;
}

/** Reserves quota for a capture. An account that has nothing left gets a reservation whose `require` throws. */
export async function reserveQuota(
  { caller, options: { format, async: isJob }, receivedAt }: QuotaRequest,
  env: QuotaResources,
): Promise<QuotaReservation> {
  const { USAGE_TABLE } = env;
  const { account } = caller;
  const now = Date.now();
  const capture = { accountId: account.id, attempt: randomBytes(16).toString("hex"), credit: creditFor(format) };
  const planned = allowanceFor({ ...capture, period: periodAt(account, receivedAt) }, plans[account.plan]);
  // A trial that is over or paused allows no tests either, which cost as much.
  const isOver = planned.isCapped && isTrialOver(planned, now);
  const allowance = isTestCaller(caller) && !isOver ? testAllowance(capture, receivedAt) : planned;
  if (!allowance.isCapped) return new QuotaReservation(allowance, env);
  const until = planned.isCapped ? await findTrialPause(USAGE_TABLE, now) : undefined;
  if (until !== undefined) {
    const taken = await readUsedQuota(USAGE_TABLE, allowance, now);
    return new QuotaReservation(allowance, env, trialsPaused(allowance, { taken, until }));
  }
  const { taken, isReserved } = isOver
    ? { taken: await readUsedQuota(USAGE_TABLE, allowance, now), isReserved: false }
    : await reserveInPeriod(USAGE_TABLE, allowance, { now, until: now + (isJob ? JOB_RESERVED_MS : RESERVED_MS) });
  return new QuotaReservation(allowance, env, isReserved ? { taken } : quotaExceeded(allowance, { taken, now }));
}
