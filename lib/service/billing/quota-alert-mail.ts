// The e-mail that shows the owner of an account how much of a quota is used.

import { dollars } from "../../contract/money.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { writtenDay } from "../mail/written-dates.ts";
import { type BillingPeriod, isUnbilled } from "./billing-period.ts";
import type { QuotaAlert } from "./quota-alerts.ts";

export interface AlertedAccount {
  readonly label: string;
  readonly plan: PlanName;
}

/** Returns the subject and the text of an alert. `baseUrl` is the address of the service, without a trailing slash. */
export function quotaAlertMail(
  { quota, used, percentage }: QuotaAlert,
  { account, period, baseUrl }: { account: AlertedAccount; period: BillingPeriod; baseUrl: string },
): { readonly subject: string; readonly text: string } {
  const { overagePrice } = plans[account.plan];
  const end = writtenDay(period.end);
  const consequence = isUnbilled(period)
    ? `Your free trial ends on ${end}, or when the quota is used up. Captures are refused after that; ask for a paid plan to continue.`
    : overagePrice === undefined
      ? `Captures beyond the quota are refused until ${end}.`
      : `Captures continue beyond the quota, at $${dollars(overagePrice)} each, until the next period begins on ${end}.`;
  return {
    subject: `${percentage} % of your ${quota.name} are used`,
    text: [
      `The account ${account.label} has used ${count(used)} of the ${count(quota.limit)} ${quota.name} of this billing period.`,
      consequence,
      `Details and plans: ${baseUrl}/app/billing`,
      `To stop these e-mails: ${baseUrl}/app/account`,
    ].join("\n\n"),
  };
}
const counts = new Intl.NumberFormat("en");
const count = (value: number) => counts.format(value);
