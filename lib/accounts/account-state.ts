// The state of an account as its owner is told it: the plan, and the running billing period.

import { type BillingPeriod, isTrial } from "../billing/billing-period.ts";
import { billingTerms, type Counts, invoice } from "../billing/invoice.ts";
import { plans } from "../billing/plans.ts";
import { isTrialOver } from "../billing/quota.ts";
import type { Caller } from "./account.ts";

/** The account at `now` (milliseconds since 1970), with the successes of its running period. */
export function accountState(
  account: Caller["account"],
  { period, counts, now }: { period: BillingPeriod; counts: Counts; now: number },
) {
  const { plan, currency, price, quotas, overage, total } = invoice(period, {
    terms: billingTerms(account, period),
    counts,
    now,
  });
  const isOver = isTrialOver({ period }, now);
  return {
    id: account.id,
    plan,
    created_at: account.created_at,
    trial: isTrial(period) ? { ends_at: period.end, is_over: isOver } : null,
    billing_period: { start: period.start, end: period.end },
    quotas: isOver ? withNothingLeft(quotas) : quotas,
    overage,
    currency,
    price,
    total,
    rate_limit: { limit: plans[account.plan].requestsPerMinute, window_seconds: 60 },
  };
}

function withNothingLeft(quotas: ReturnType<typeof invoice>["quotas"]): typeof quotas {
  return Object.fromEntries(Object.entries(quotas).map(([name, quota]) => [name, { ...quota, remaining: 0 }]));
}
