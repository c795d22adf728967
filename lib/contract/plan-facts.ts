// What a plan costs and includes, as the pricing page and the dashboard say it.
import { dollars } from "./money.ts";
import { type Plan, planQuotas } from "./plans.ts";

/** The price without zero cents, and for what: `$49`, `a month`. */
export function planPrice({ price, trialDays }: Plan): { readonly amount: string; readonly period: string } {
  return {
    amount: `$${dollars(price).replace(/\.00$/, "")}`,
    period: trialDays === undefined ? "a month" : `for ${trialDays} days`,
  };
}

interface FactOptions {
  /** False for a reader who has had a first month. */
  readonly hasFirstMonth?: boolean;
  /** Writes a number as the reader's language does. */
  readonly count?: (count: number) => string;
}

/** In the order in which plans are compared. */
export function planFacts(
  plan: Plan,
  { hasFirstMonth = true, count = (each) => each.toLocaleString("en-US") }: FactOptions = {},
): string[] {
  return [
    ...planQuotas(plan).map(({ name, limit }) => `${count(limit)} ${name}`),
    `${count(plan.requestsPerMinute)} requests a minute`,
    `${count(plan.concurrentJobs)} asynchronous captures at a time`,
    plan.overagePrice === undefined ? "Stops at the quota" : `$${dollars(plan.overagePrice)} for each further capture`,
    ...(hasFirstMonth && plan.firstMonthPrice !== undefined
      ? [`$${dollars(plan.firstMonthPrice)} for the first month`]
      : []),
  ];
}
