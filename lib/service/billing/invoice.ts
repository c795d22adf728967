// Invoices: the price of the plan plus overage beyond its quotas.
import * as v from "valibot";
import { dollars, type Money, sum, usd } from "../../contract/money.ts";
import { type Counts, overageAmount, unitsBeyondQuotas } from "../../contract/plan-cost.ts";
import { type Credit, type Plan, type PlanName, planNames, plans } from "../../contract/plans.ts";
import { type BillingPeriod, type BillingStops, isBillingStopped, isWithoutPlan } from "./billing-period.ts";
import { type Payment, paymentState, paymentTerms } from "./payment.ts";

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

/** What of an account decides the terms of its periods. */
export interface BilledPlan {
  readonly plan: PlanName;
  /** The plan before a scheduled change: periods before `until` are billed by it. */
  readonly previous_plan?: { readonly plan: PlanName; readonly until: string };
  readonly billing_stops?: BillingStops;
}

/** Returns the terms of a period by the current plans. */
export function billingTerms(account: BilledPlan, period: BillingPeriod): Terms {
  const { month } = period;
  const name = month === undefined ? "free" : planOfPeriod(account, period);
  const { price, firstMonthPrice, overagePrice, ...plan }: Plan = plans[name];
  const quotas = isWithoutPlan(period) ? { screenshots: 0, videos: 0 } : plan.quotas;
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

function planOfPeriod({ plan, previous_plan: previous }: BilledPlan, { start }: BillingPeriod): PlanName {
  return previous && start < previous.until ? previous.plan : plan;
}

/** What is used of a quota. */
interface QuotaUse {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** The invoice of a period at `now` (milliseconds since 1970). Amounts are dollars as decimal text. */
export function invoice(
  period: BillingPeriod,
  { terms, counts, payment, now }: { terms: Terms; counts: Counts; payment?: Payment | undefined; now: number },
) {
  const { plan, price, overagePrice } = terms;
  const units = overagePrice === undefined ? 0 : unitsBeyondQuotas(terms.quotas, counts);
  const overage = overageAmount(units, overagePrice ?? (0 as Money));
  const total = sum(price, overage);
  return {
    period: { start: period.start, end: period.end },
    status: isSettled(period, now) ? ("closed" as const) : ("open" as const),
    ...paymentState(payment, { end: period.end, isFree: total === 0, terms: paymentTerms() }),
    plan,
    currency: "usd" as const,
    price: dollars(price),
    quotas: quotaUses(terms, counts),
    overage: {
      units,
      unit_price: overagePrice === undefined ? null : dollars(overagePrice),
      amount: dollars(overage),
    },
    total: dollars(total),
  };
}

/** True once the invoice of a period is closed at `now` (milliseconds since 1970). */
export function isSettled({ end }: Pick<BillingPeriod, "end">, now: number): boolean {
  return now >= Date.parse(end) + SETTLING_MS;
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
