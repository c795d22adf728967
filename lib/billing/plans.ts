// The plans: what an account pays, what that includes, and what more of it costs. This table is all there is to change.
import { type Money, usd } from "./money.ts";

export const planNames = ["free", "starter", "pro", "max"] as const;
export type PlanName = (typeof planNames)[number];

/** What is counted: a video is one of `videos` however long it is, everything else, PDF too, one of `screenshots`. */
export type Credit = "screenshots" | "videos";

/** A quota holds one kind of credits, or with `captures` both. */
export const quotaNames = ["screenshots", "videos", "captures"] as const satisfies readonly (Credit | "captures")[];
export type QuotaName = (typeof quotaNames)[number];

/** Captures included in a billing period: two quotas apart, or one pool that everything is taken from. */
export type Quotas = Readonly<Record<Credit, number>> | { readonly captures: number };

export interface Plan {
  readonly label: string;
  /** Per billing period, which is a month. */
  readonly price: Money;
  /** What the first month costs instead. */
  readonly firstMonthPrice?: Money;
  readonly quotas: Quotas;
  readonly requestsPerMinute: number;
  /** Captures in the background that may be waiting or under way at once. */
  readonly jobsAtOnce: number;
  /** For each success beyond the quota; without it the quota is a cap at which captures are refused. */
  readonly overagePrice?: Money;
  /** Days after which captures are refused; the whole of it is one period. Such a plan is a trial. */
  readonly trialDays?: number;
}

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    label: "Free Trial",
    price: usd("0"),
    quotas: { screenshots: 300, videos: 50 },
    requestsPerMinute: 10,
    jobsAtOnce: 5,
    trialDays: 7,
  },
  starter: {
    label: "Starter",
    price: usd("12"),
    firstMonthPrice: usd("1"),
    quotas: { screenshots: 5_000, videos: 150 },
    requestsPerMinute: 40,
    jobsAtOnce: 50,
    overagePrice: usd("0.005"),
  },
  pro: {
    label: "Pro",
    price: usd("49"),
    quotas: { captures: 20_000 },
    requestsPerMinute: 80,
    jobsAtOnce: 200,
    overagePrice: usd("0.0035"),
  },
  max: {
    label: "Max",
    price: usd("129"),
    quotas: { captures: 60_000 },
    requestsPerMinute: 150,
    jobsAtOnce: 500,
    overagePrice: usd("0.0025"),
  },
};

/** A quota of a plan with its size. */
export interface Quota {
  readonly name: QuotaName;
  readonly limit: number;
}

/** The quotas of a plan, in the order in which they are told. */
export function planQuotas({ quotas }: Pick<Plan, "quotas">): Quota[] {
  return Object.entries(quotas).map(([name, limit]) => ({ name: name as QuotaName, limit }));
}

/** The quota that a credit is taken from. */
export function quotaFor(credit: Credit, { quotas }: Pick<Plan, "quotas">): Quota {
  return "captures" in quotas ? { name: "captures", limit: quotas.captures } : { name: credit, limit: quotas[credit] };
}
