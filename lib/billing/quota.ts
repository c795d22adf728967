// Quotas of a billing period: what a capture is counted against, and what is said when nothing of it is left.
import { ApiError } from "../errors/api-error.ts";
import { isVideoFormat } from "../options/formats.ts";
import { type BillingPeriod, isTrial } from "./billing-period.ts";
import { type Credit, type Plan, type Quota, quotaFor } from "./plans.ts";

/** What a capture of this format takes: a video one, however long it is. */
export function creditFor(format: string): Credit {
  return isVideoFormat(format) ? "videos" : "screenshots";
}

/** What a capture is counted against. */
export interface Allowance {
  readonly accountId: number;
  /** Unlike that of every other capture, in letters and digits: its reservation is known by it. */
  readonly attempt: string;
  readonly period: BillingPeriod;
  readonly credit: Credit;
  readonly quota: Quota;
  /** True where the quota is a cap, so that a capture has to be reserved before it is taken. */
  readonly isCapped: boolean;
}

/** The allowance of a capture under a plan. A plan that sells overage has nothing to refuse. */
export function allowanceFor(
  capture: Pick<Allowance, "accountId" | "attempt" | "period" | "credit">,
  plan: Pick<Plan, "quotas" | "overagePrice">,
): Allowance {
  return { ...capture, quota: quotaFor(capture.credit, plan), isCapped: plan.overagePrice === undefined };
}

/** True once the period of a trial has ended. */
export function isTrialOver({ period }: Pick<Allowance, "period">, now: number): boolean {
  return isTrial(period) && Date.parse(period.end) <= now;
}

/** The refusal of a capture of which `taken` are taken already, at `now` in milliseconds since 1970. */
export function quotaExceeded(allowance: Allowance, { taken, now }: { taken: number; now: number }): ApiError {
  const { quota, period } = allowance;
  const isOver = isTrialOver(allowance, now);
  const subject = isTrial(period) ? "The free trial" : "This billing period's quota";
  const state = isOver ? `ended at ${period.end}` : `is used up: ${taken} of ${quota.limit} ${quota.name} are taken`;
  const way = isTrial(period) ? "Choose a paid plan to go on" : `It begins anew at ${period.end}`;
  return new ApiError("QUOTA_EXCEEDED", `${subject} ${state}. ${way}.`, {
    figures: { quota: quota.name, limit: quota.limit, used: taken, resets_at: isTrial(period) ? null : period.end },
  });
}
