// What a month of captures costs on a plan: its price, and the captures beyond its quotas.
import { type Money, roundedToCents, sum, times } from "./money.ts";
import type { Credit, Plan, Quotas } from "./plans.ts";

/** Successful captures of a period. */
export type Counts = Readonly<Record<Credit, number>>;

/** Returns how many captures are beyond the quotas. */
export function unitsBeyondQuotas(quotas: Quotas, { screenshots, videos }: Counts): number {
  if ("captures" in quotas) return Math.max(0, screenshots + videos - quotas.captures);
  return Math.max(0, screenshots - quotas.screenshots) + Math.max(0, videos - quotas.videos);
}

/** Returns the price of captures beyond the quotas, rounded to cents as it is charged. */
export function overageAmount(units: number, overagePrice: Money): Money {
  return roundedToCents(times(overagePrice, units));
}

/** Returns the cost of a month that isn't the first one; undefined when the plan refuses captures beyond its quotas. */
export function monthlyCost({ price, quotas, overagePrice }: Plan, counts: Counts): Money | undefined {
  const units = unitsBeyondQuotas(quotas, counts);
  if (units === 0) return price;
  return overagePrice && sum(price, overageAmount(units, overagePrice));
}
