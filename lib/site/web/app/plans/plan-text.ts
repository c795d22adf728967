// What an account has, in the words of the pricing page.
import { type PlanName, plans } from "../../../../contract/plans.ts";

/** Such as `Starter plan` and `Free Trial`. */
export function planText(plan: string): string {
  const { label, trialDays } = plans[plan as PlanName];
  return trialDays === undefined ? `${label} plan` : label;
}
