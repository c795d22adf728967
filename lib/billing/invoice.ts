// Invoices: the price of the plan plus overage beyond its quotas.
import * as v from "valibot";
import type { Account } from "../accounts/account.ts";
import type { BillingPeriod } from "./billing-period.ts";
import { dollars, type Money, roundedToCents, sum, times } from "./money.ts";
import { type Credit, type Plan, type PlanName, planNames, planQuotas, plans } from "./plans.ts";

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

/** Successful captures of a period. */
export type Counts = Readonly<Record<Credit, number>>;

/**
 * An invoice stays open this long after its period, in milliseconds: no function runs longer, so every capture that
 * started in the period is counted.
 */
const SETTLING_MS = 15 * 60 * 1000;

/** Returns the terms of a period by the current plans. */
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

/** The invoice of a period at `now` (milliseconds since 1970), as the API shows it. Amounts are dollars in decimal. */
export function invoice(period: BillingPeriod, { terms, counts, now }: { terms: Terms; counts: Counts; now: number }) {
  const { plan, price, overagePrice } = terms;
  const quotas = quotaStates(terms, counts);
  const units =
    overagePrice === undefined ? 0 : quotas.reduce((total, { used, limit }) => total + over(used, limit), 0);
  const overage = roundedToCents(times(overagePrice ?? (0 as Money), units));
  return {
    period: { start: period.start, end: period.end },
    status: now < Date.parse(period.end) + SETTLING_MS ? "open" : "closed",
    plan,
    currency: "usd",
    price: dollars(price),
    quotas: Object.fromEntries(
      quotas.map(({ name, limit, used }) => [name, { limit, used, remaining: Math.max(0, limit - used) }]),
    ),
    overage: {
      units,
      unit_price: overagePrice === undefined ? null : dollars(overagePrice),
      amount: dollars(overage),
    },
    total: dollars(sum(price, overage)),
  };
}

function quotaStates(terms: Terms, counts: Counts) {
  return planQuotas(terms).map(({ name, limit }) => ({
    name,
    limit,
    used: name === "captures" ? counts.screenshots + counts.videos : counts[name],
  }));
}

function over(used: number, limit: number): number {
  return Math.max(0, used - limit);
}
