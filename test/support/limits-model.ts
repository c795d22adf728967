// Reference model of an account's quotas and bill: replays everything that happened.

import type { Counts } from "../../lib/contract/plan-cost.ts";
import type { Credit, PlanName } from "../../lib/contract/plans.ts";
import type { Account } from "../../lib/service/account/account.ts";
import type { BillingPeriod } from "../../lib/service/billing/billing-period.ts";
import type { Allowance } from "../../lib/service/billing/quota.ts";
import type { RateModel } from "./rate-model.ts";

/** A capture that began in a period has ended so long after it. */
const SETTLING_MS = 15 * 60 * 1000;

/** What each plan costs, in cents and for overage in hundredths of a cent, and what it includes. */
export const offers = {
  free: { first: 0, price: 0, overage: 0, screenshots: 300, videos: 50, requests: 10 },
  starter: { first: 100, price: 1_200, overage: 50, screenshots: 5_000, videos: 150, requests: 40 },
  pro: { first: 4_900, price: 4_900, overage: 35, captures: 20_000, requests: 80 },
  max: { first: 12_900, price: 12_900, overage: 25, captures: 60_000, requests: 150 },
};

/** A capture as the model knows it. */
export interface Capture {
  readonly allowance: Allowance;
  readonly attempt: string;
  /** When its reservation expires. */
  readonly until: number;
  fate: "under way" | "success" | "failed";
}

/** What the model knows of an account; the account itself says its plan and since when. */
export interface Customer {
  account: Account;
  readonly captures: Capture[];
  /** Captures that were taken without being notified one by one: as if by others, before. */
  readonly before: { readonly start: string; readonly credit: Credit; readonly count: number }[];
  /** Plans with the times from which on they were the account's. */
  readonly plans: { readonly from: number; readonly plan: PlanName }[];
  readonly rates: Map<number, RateModel>;
}

/** Successes of a period. */
export function countsOf({ captures, before }: Customer, { start }: BillingPeriod): Counts {
  const count = (credit: Credit) =>
    captures.filter(
      ({ allowance, fate }) => fate === "success" && allowance.period.start === start && allowance.credit === credit,
    ).length +
    before.filter((each) => each.start === start && each.credit === credit).reduce((sum, each) => sum + each.count, 0);
  return { screenshots: count("screenshots"), videos: count("videos") };
}

/** What is taken of a trial: successes, and reservations that have not expired. */
export function takenOf(customer: Customer, period: BillingPeriod, credit: Credit, now: number): number {
  const live = customer.captures.filter(
    ({ allowance, fate, until }) =>
      fate === "under way" &&
      until > now &&
      allowance.isCapped &&
      allowance.period.start === period.start &&
      allowance.credit === credit,
  );
  return countsOf(customer, period)[credit] + live.length;
}

/** The plan a period is billed by: the one it had when it ended, or has now. */
function billedPlan(customer: Customer, { month, end }: BillingPeriod): PlanName {
  if (month === undefined) return "free";
  return customer.plans.filter(({ from }) => from < Date.parse(end)).at(-1)?.plan ?? "free";
}

/** What the invoice of a period says at `now` (milliseconds since 1970). */
export function expectedBill(customer: Customer, period: BillingPeriod, now: number) {
  const plan = billedPlan(customer, period);
  const offer = offers[plan];
  const counts = countsOf(customer, period);
  const quotas: [string, number, number][] =
    "captures" in offer
      ? [["captures", offer.captures, counts.screenshots + counts.videos]]
      : [
          ["screenshots", offer.screenshots, counts.screenshots],
          ["videos", offer.videos, counts.videos],
        ];
  const units = offer.overage ? quotas.reduce((sum, [, limit, used]) => sum + Math.max(0, used - limit), 0) : 0;
  const cents = Math.floor((units * offer.overage + 50) / 100);
  const price = period.month === 0 ? offer.first : offer.price;
  return {
    start: period.start,
    status: now < Date.parse(period.end) + SETTLING_MS ? "open" : "closed",
    plan,
    quotas: Object.fromEntries(
      quotas.map(([name, limit, used]) => [name, { limit, used, remaining: Math.max(0, limit - used) }]),
    ),
    units,
    amount: (cents / 100).toFixed(2),
    total: ((price + cents) / 100).toFixed(2),
  };
}
