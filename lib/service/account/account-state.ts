// An account as the API answers it: its plan, and the current billing period.

import type { Counts } from "../../contract/plan-cost.ts";
import { type BillingPeriod, isTrial } from "../billing/billing-period.ts";
import { freeFailureLimit } from "../billing/free-failures.ts";
import { billingTerms, invoice } from "../billing/invoice.ts";
import { isTrialOver } from "../billing/quota.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Caller } from "./account.ts";
import { effectiveLimits } from "./limits.ts";
import type { AccountResponse, QuotasResponse } from "./responses.ts";

/** The account at `now` (milliseconds since 1970), without its limits. `counts` are the successful captures of `period`, `usedFailures` its free failures. */
export function accountState(
  account: Caller["account"],
  { period, counts, usedFailures, now }: { period: BillingPeriod; counts: Counts; usedFailures: number; now: number },
): Omit<ResponseBody<typeof AccountResponse>, "limits"> {
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
    free_failures: { limit: freeFailureLimit(counts.screenshots + counts.videos), used: usedFailures },
    rate_limit: { limit: effectiveLimits(account, now).requests_per_minute.value, window_seconds: 60 },
  };
}

function withNothingLeft(quotas: ResponseBody<typeof QuotasResponse>): ResponseBody<typeof QuotasResponse> {
  return "captures" in quotas
    ? { captures: { ...quotas.captures, remaining: 0 } }
    : { screenshots: { ...quotas.screenshots, remaining: 0 }, videos: { ...quotas.videos, remaining: 0 } };
}
