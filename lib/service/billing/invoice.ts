// Invoices: the price of the plan plus overage beyond its quotas.
import * as v from "valibot";
import { dollars, type Money, sum, usd } from "../../contract/money.ts";
import { type Counts, overageAmount, unitsBeyondQuotas } from "../../contract/plan-cost.ts";
import { type Credit, type Plan, type PlanName, planNames, plans } from "../../contract/plans.ts";
import { type BillingPeriod, type BillingStops, isBillingStopped, isWithoutTrial } from "./billing-period.ts";

const money = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((amount) => amount as Money),
);

/** Billing terms of a period. They are stored when the period has ended and never change afterwards. */
export const TermsSchema = v.object({
  plan: v.picklist(planNames),
  price: money,
  quotas: v.union([v.object({ screenshots: v.number(), videos: v.number() }), v.object({ captures: v.number() })]),
  overagePrice: v.optional(money),
});
export type Terms = v.InferOutput<typeof TermsSchema>;

/**
 * An invoice stays open this long after its period, in milliseconds: no function runs longer, so every capture that
 * started in the period is counted.
 */
const SETTLING_MS = 15 * 60 * 1000;

/** Returns the terms of a period by the current plans. */
export function billingTerms(
  account: { readonly plan: PlanName; readonly billing_stops?: BillingStops },
  period: BillingPeriod,
): Terms {
  const { month } = period;
  const name: PlanName = month === undefined ? "free" : account.plan;
  const { price, firstMonthPrice, overagePrice, ...plan }: Plan = plans[name];
  const quotas = isWithoutTrial(period) ? { screenshots: 0, videos: 0 } : plan.quotas;
  return {
    plan: name,
    price: isBillingStopped(period, account.billing_stops)
      ? usd("0")
      : month === 0
        ? (firstMonthPrice ?? price)
        : price,
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
  const units = overagePrice === undefined ? 0 : unitsBeyondQuotas(terms.quotas, counts);
  const overage = overageAmount(units, overagePrice ?? (0 as Money));
  return {
    period: { start: period.start, end: period.end },
    status: now < Date.parse(period.end) + SETTLING_MS ? ("open" as const) : ("closed" as const),
    plan,
    currency: "usd" as const,
    price: dollars(price),
    quotas: quotaUses(terms, counts),
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
