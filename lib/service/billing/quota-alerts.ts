// Quota alerts: the shares of a quota at which the owner of an account is notified by e-mail, once in each billing period.

import type { Counts } from "../../contract/plan-cost.ts";
import { type Plan, planQuotas, type Quota, type QuotaName } from "../../contract/plans.ts";
import { usedQuota } from "./quota.ts";

/** Percentages of a quota at which an alert is sent. */
const alertPercentages = [50, 80, 100] as const;

/** For each quota, the highest percentage that its owner was notified of in the period. */
export type AlertedPercentages = Readonly<Partial<Record<QuotaName, number>>>;

/** What a billing period has used, and of what its owner was notified. */
export interface PeriodUse {
  readonly counts: Counts;
  readonly alerted: AlertedPercentages;
}

/** A quota that has reached a percentage. */
export interface QuotaAlert {
  readonly quota: Quota;
  readonly used: number;
  readonly percentage: number;
}

/** Returns the alerts that are due: for each quota, the highest percentage that was reached and not yet reported. */
export function dueAlerts({ quotas }: Pick<Plan, "quotas">, { counts, alerted }: PeriodUse): QuotaAlert[] {
  return planQuotas({ quotas }).flatMap((quota) => {
    const used = usedQuota(quota, counts);
    const percentage = alertPercentages.findLast((each) => used >= capturesAt(quota, each));
    const isDue = percentage !== undefined && percentage > (alerted[quota.name] ?? 0);
    return isDue ? [{ quota, used, percentage }] : [];
  });
}

function capturesAt({ limit }: Quota, percentage: number): number {
  return Math.ceil((limit * percentage) / 100);
}
