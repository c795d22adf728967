// What a billing period costs: the price of the plan, and what was captured beyond its quotas.
import * as v from "valibot";
import type { Account } from "../accounts/account.ts";
import type { BillingPeriod } from "./billing-period.ts";
import { dollars, type Money, roundedToCents, sum, times } from "./money.ts";
import { type Credit, type Plan, type PlanName, planNames, plans } from "./plans.ts";

const money = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((amount) => amount as Money),
);

/** The terms of a plan that a period is billed by. They are kept with it when it has ended, and never change then. */
export const TermsSchema = v.object({
  plan: v.picklist(planNames),
  price: money,
  quotas: v.union([v.object({ screenshots: v.number(), videos: v.number() }), v.object({ captures: v.number() })]),
  overagePrice: v.optional(money),
});
export type Terms = v.InferOutput<typeof TermsSchema>;

/** Successes of a period. */
export type Counts = Readonly<Record<Credit, number>>;

/** A capture that began in a period has ended so long after it, in milliseconds: no function runs longer. */
const SETTLING_MS = 15 * 60 * 1000;

/** The terms of a period as the plans are now. */
export function billingTerms(account: Pick<Account, "plan">, { month }: BillingPeriod): Terms {
  const name: PlanName = month === undefined ? "free" : account.plan;
  const { price, firstMonthPrice, quotas, overagePrice }: Plan = plans[name];
  return {
    plan: name,
    price: month === 0 ? (firstMonthPrice ?? price) : price,
    quotas,
    ...(overagePrice !== undefined && { overagePrice }),
  };
}

/** What is used of a quota. */
interface QuotaUse {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** The invoice of a period at `now` (milliseconds since 1970). Amounts are dollars as decimal text. */
export function invoice(period: BillingPeriod, { terms, counts, now }: { terms: Terms; counts: Counts; now: number }) {
  const { plan, price, overagePrice } = terms;
  const quotas = quotaUses(terms, counts);
  const overLimit = Object.values(quotas).reduce((total, { used, limit }) => total + Math.max(0, used - limit), 0);
  const units = overagePrice === undefined ? 0 : overLimit;
  const overage = roundedToCents(times(overagePrice ?? (0 as Money), units));
  return {
    period: { start: period.start, end: period.end },
    status: now < Date.parse(period.end) + SETTLING_MS ? ("open" as const) : ("closed" as const),
    plan,
    currency: "usd" as const,
    price: dollars(price),
    quotas,
    overage: {
      units,
      unit_price: overagePrice === undefined ? null : dollars(overagePrice),
      amount: dollars(overage),
    },
    total: dollars(sum(price, overage)),
  };
}

function quotaUses(
  { quotas }: Terms,
  { screenshots, videos }: Counts,
): Readonly<Record<Credit, QuotaUse>> | { readonly captures: QuotaUse } {
  return "captures" in quotas
    ? { captures: quotaUse(quotas.captures, screenshots + videos) }
    : { screenshots: quotaUse(quotas.screenshots, screenshots), videos: quotaUse(quotas.videos, videos) };
}

function quotaUse(limit: number, used: number): QuotaUse {
  return { limit, used, remaining: Math.max(0, limit - used) };
}
