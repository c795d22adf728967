// The plans: price, quotas, rate limit, concurrency and overage. To change a plan, change this table only.
import { type Money, usd } from "./money.ts";

export const planNames = ["free", "starter", "pro", "max"] as const;
export type PlanName = (typeof planNames)[number];

/**
 * What a capture counts as: a video is one of `videos` regardless of its length; all other formats, PDF too, are
 * `screenshots`.
 */
export type Credit = "screenshots" | "videos";

/** A quota holds one kind of credits, or with `captures` both. */
export const quotaNames = ["screenshots", "videos", "captures"] as const satisfies readonly (Credit | "captures")[];
export type QuotaName = (typeof quotaNames)[number];

/** Captures included in a billing period: one quota per kind, or one pool for both. */
export type Quotas = Readonly<Record<Credit, number>> | { readonly captures: number };

export interface Plan {
  readonly label: string;
  /** Per billing period of one month. */
  readonly price: Money;
  /** Price of the first month, when it differs. */
  readonly firstMonthPrice?: Money;
  readonly quotas: Quotas;
  readonly requestsPerMinute: number;
  /** Maximum number of asynchronous captures that are queued or processing. */
  readonly concurrentJobs: number;
  /** Part of the deployment's concurrent synchronous captures that one account can use, above 0 and up to 1. */
  readonly captureShare: number;
  /** Price of each successful capture beyond the quota. Without it the quota is a hard cap. */
  readonly overagePrice?: Money;
  /** Length in days of a trial, which is one period; captures are rejected after it. Only trial plans have it. */
  readonly trialDays?: number;
}

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    label: "Free Trial",
    price: usd("0"),
    quotas: { screenshots: 300, videos: 50 },
    requestsPerMinute: 10,
    concurrentJobs: 5,
    captureShare: 0.2,
    trialDays: 7,
  },
  starter: {
    label: "Starter",
    price: usd("12"),
    firstMonthPrice: usd("1"),
    quotas: { screenshots: 5_000, videos: 150 },
    requestsPerMinute: 40,
    concurrentJobs: 50,
    captureShare: 0.4,
    overagePrice: usd("0.005"),
  },
  pro: {
    label: "Pro",
    price: usd("49"),
    quotas: { captures: 20_000 },
    requestsPerMinute: 80,
    concurrentJobs: 200,
    captureShare: 0.6,
    overagePrice: usd("0.0035"),
  },
  max: {
    label: "Max",
    price: usd("129"),
    quotas: { captures: 60_000 },
    requestsPerMinute: 150,
    concurrentJobs: 500,
    captureShare: 0.8,
    overagePrice: usd("0.0025"),
  },
};

/** True if a plan costs less than another one. */
export function isSmallerPlan(plan: PlanName, other: PlanName): boolean {
  return plans[plan].price < plans[other].price;
}

/** The plans that cost something. */
export const paidPlanNames = planNames.filter((name) => name !== "free");

/** A quota of a plan with its limit. */
export interface Quota {
  readonly name: QuotaName;
  readonly limit: number;
}

/** Returns the quotas of a plan in display order. */
export function planQuotas({ quotas }: Pick<Plan, "quotas">): Quota[] {
  return Object.entries(quotas).map(([name, limit]) => ({ name: name as QuotaName, limit }));
}

/** Returns the quota that a kind of capture counts against. */
export function quotaFor(credit: Credit, { quotas }: Pick<Plan, "quotas">): Quota {
  return "captures" in quotas ? { name: "captures", limit: quotas.captures } : { name: credit, limit: quotas[credit] };
}

/** Captures with API keys for tests that an account may make on a UTC day, on any plan. They are not billed. */
export const MAX_TESTS_PER_DAY = 100;

/**
 * Failures that the caller's own rules, scripts, storage, or cancellations cause and that are free in a billing period, if the account
 * has fewer successes. With more, as many as these.
 */
export const MIN_FREE_FAILURES = 100;

/**
 * Minutes that the failed captures of a trial, or of keys for tests, may take on a UTC day. They are free, and take as much of the
 * service as others.
 */
export const MAX_FAILED_MINUTES_PER_DAY = 30;
