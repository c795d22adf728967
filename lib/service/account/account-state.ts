// An account as the API answers it: its plan, its limits, and the current billing period.

import type { Counts } from "../../contract/plan-cost.ts";
import { type BillingPeriod, isUnbilled } from "../billing/billing-period.ts";
import { freeFailureLimit } from "../billing/free-failures.ts";
import { billingTerms, invoice } from "../billing/invoice.ts";
import { isTrialOver } from "../billing/quota.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Caller } from "./account.ts";
import type { EffectiveLimits } from "./limits.ts";
import type { AccountResponse, QuotasResponse } from "./responses.ts";

/**
 * The account at `now` (milliseconds since 1970). `counts` are the successful captures of `period`, `usedFailures` its free failures, and
 * `limits` those of the account at that moment.
 */
export function accountState<Limits extends EffectiveLimits>(
  account: Caller["account"],
  {
    period,
    counts,
    usedFailures,
    limits,
    now,
  }: {
    readonly period: BillingPeriod;
    readonly counts: Counts;
    readonly usedFailures: number;
    readonly limits: Limits;
    readonly now: number;
  },
): Omit<ResponseBody<typeof AccountResponse>, "limits"> & { readonly limits: Limits } {
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
    trial: isUnbilled(period) && !period.isAfterPlan ? { ends_at: period.end, is_over: isOver } : null,
    scheduled_plan: account.scheduled_plan ?? null,
    plan_ended_at: period.isAfterPlan ? period.end : null,
    billing_period: { start: period.start, end: period.end },
    quotas: isOver ? withNothingLeft(quotas) : quotas,
    overage,
    currency,
    price,
    total,
    free_failures: { limit: freeFailureLimit(counts.screenshots + counts.videos), used: usedFailures },
    rate_limit: { limit: limits.requests_per_minute.value, window_seconds: 60 },
    limits,
  };
}

function withNothingLeft(quotas: ResponseBody<typeof QuotasResponse>): ResponseBody<typeof QuotasResponse> {
  return "captures" in quotas
    ? { captures: { ...quotas.captures, remaining: 0 } }
    : { screenshots: { ...quotas.screenshots, remaining: 0 }, videos: { ...quotas.videos, remaining: 0 } };
}
