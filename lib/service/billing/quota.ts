// Quota rules: which quota a capture counts against, and the error when it is exhausted.
import { ApiError } from "../../contract/errors/api-error.ts";
import { isVideoFormat } from "../../contract/options/formats.ts";
import type { Counts } from "../../contract/plan-cost.ts";
import {
  type Credit,
  MAX_FAILED_MINUTES_PER_DAY,
  MAX_TESTS_PER_DAY,
  type Plan,
  type Quota,
  quotaFor,
} from "../../contract/plans.ts";
import { type BillingPeriod, isUnbilled, isWithoutPlan } from "./billing-period.ts";
import type { CaptureLimits } from "./capture-limits.ts";

/** Returns the kind of capture a format counts as; a video counts once, regardless of its length. */
export function creditFor(format: string): Credit {
  return isVideoFormat(format) ? "videos" : "screenshots";
}

/** What one capture counts against: a quota, and the limits that apply. */
export interface Allowance extends CaptureLimits {
  readonly accountId: number;
  /** Unique per capture, letters and digits: the id of its reservation. */
  readonly attempt: string;
  readonly period: BillingPeriod;
  readonly credit: Credit;
  readonly quota: Quota | TestQuota;
  /** True when the quota is a hard cap, so that a capture must be reserved first. */
  readonly isCapped: boolean;
  /** True when a free failure is reserved for the capture, because its own options can make it fail. */
  readonly reservesFailure?: true;
}

/** The quota of API keys for tests. Its period is the day. */
export interface TestQuota {
  readonly name: "tests";
  readonly limit: number;
}

function isTestAllowance({ quota }: Pick<Allowance, "quota">): boolean {
  return quota.name === "tests";
}

/** Returns the allowance of a capture with an API key for tests at `now` (milliseconds since 1970). */
export function testAllowance(capture: Pick<Allowance, "accountId" | "attempt" | "credit">, now: number): Allowance {
  const start = new Date(now).toISOString().slice(0, 10);
  const end = new Date(Date.parse(start) + DAY_MS).toISOString();
  const period = { start: new Date(start).toISOString(), end, month: 0 };
  return { ...capture, period, quota: { name: "tests", limit: MAX_TESTS_PER_DAY }, isCapped: true };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the allowance of a capture under a plan. Plans with an overage price have no hard cap. */
export function allowanceFor(
  capture: Pick<Allowance, "accountId" | "attempt" | "period" | "credit" | keyof CaptureLimits>,
  plan: Pick<Plan, "quotas" | "overagePrice">,
): Allowance {
  return { ...capture, quota: quotaFor(capture.credit, plan), isCapped: plan.overagePrice === undefined };
}

/** Successful captures that count against a quota. */
export function usedQuota({ name }: Pick<Quota, "name">, { screenshots, videos }: Counts): number {
  return name === "captures" ? screenshots + videos : { screenshots, videos }[name];
}

/** True when the trial has ended at `now` (milliseconds since 1970). */
export function isTrialOver({ period }: Pick<Allowance, "period">, now: number): boolean {
  return isUnbilled(period) && Date.parse(period.end) <= now;
}

/** Returns the 402 error while trials are paused until a time in milliseconds since 1970. */
export function trialsPaused({ quota }: Allowance, { taken, until }: { taken: number; until: number }): ApiError {
  const message =
    `Captures of the free trial are paused until ${new Date(until).toISOString()}, because this service has used up its ` +
    "budget. Choose a paid plan to continue.";
  return new ApiError("QUOTA_EXCEEDED", message, {
    figures: { quota: quota.name, limit: quota.limit, used: taken, resets_at: new Date(until).toISOString() },
  });
}

/** Returns the 402 error when `taken` captures are used at `now` (milliseconds since 1970). */
export function quotaExceeded(allowance: Allowance, { taken, now }: { taken: number; now: number }): ApiError {
  const { quota, period } = allowance;
  if (isTestAllowance(allowance)) return testsExceeded(allowance, taken);
  const subject = isUnbilled(period) ? "The free trial" : "This billing period's quota";
  const state = isTrialOver(allowance, now)
    ? `ended at ${period.end}`
    : `is used up: ${taken} of ${quota.limit} ${quota.name} are taken`;
  const advice = isUnbilled(period) ? "Choose a paid plan to continue" : `It resets at ${period.end}`;
  const message = period.isAfterPlan
    ? `The account's plan ended at ${period.end}. ${advice}.`
    : isWithoutPlan(period)
      ? WITHOUT_TRIAL
      : `${subject} ${state}. ${advice}.`;
  return new ApiError("QUOTA_EXCEEDED", message, {
    figures: { quota: quota.name, limit: quota.limit, used: taken, resets_at: isUnbilled(period) ? null : period.end },
  });
}

/** Returns the 402 error when failed captures took too long on the UTC day of `now` (milliseconds since 1970). */
export function failuresExceeded({ quota }: Allowance, { taken, now }: { taken: number; now: number }): ApiError {
  const tomorrow = new Date(now - (now % DAY_MS) + DAY_MS).toISOString();
  const message =
    `Captures of the account that failed today took more than ${MAX_FAILED_MINUTES_PER_DAY} minutes. They are free, but a free trial ` +
    "and keys for tests have only so much time for them. See the errors in the log of captures, lower `timeout`, and continue at " +
    `${tomorrow}, or choose a paid plan.`;
  return new ApiError("QUOTA_EXCEEDED", message, {
    figures: { quota: quota.name, limit: quota.limit, used: taken, resets_at: tomorrow },
  });
}

const WITHOUT_TRIAL =
  "The account has no free trial, because its mailbox has had one before. Choose a paid plan to capture.";

function testsExceeded({ quota, period }: Allowance, taken: number): ApiError {
  const message =
    `The account has made the ${quota.limit} captures a day that API keys for tests can make. Use another key, or continue at ` +
    `${period.end}.`;
  return new ApiError("QUOTA_EXCEEDED", message, {
    figures: { quota: quota.name, limit: quota.limit, used: taken, resets_at: period.end },
  });
}
