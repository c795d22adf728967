// The e-mail that shows the owner of an account how much of a quota is used.

import { dollars } from "../../contract/money.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { type MailDocument, paragraph } from "../mail/mail-document.ts";
import { oneLine } from "../mail/one-line.ts";
import { writtenDay } from "../mail/written-dates.ts";
import { type BillingPeriod, isUnbilled } from "./billing-period.ts";
import type { QuotaAlert } from "./quota-alerts.ts";

export interface AlertedAccount {
  readonly label: string;
  readonly plan: PlanName;
}

/** `baseUrl` is the address of the service, without a trailing slash. */
export function quotaAlertMail(
  { quota, used, percentage }: QuotaAlert,
  { account, period, baseUrl }: { account: AlertedAccount; period: BillingPeriod; baseUrl: string },
): MailDocument<"quota-alert"> {
  const { overagePrice } = plans[account.plan];
  const end = writtenDay(period.end);
  const consequence = isUnbilled(period)
    ? `Your free trial ends on ${end}, or when the quota is used up. Captures are refused after that; ask for a paid plan to continue.`
    : overagePrice === undefined
      ? `Captures beyond the quota are refused until ${end}.`
      : `Captures continue beyond the quota, at $${dollars(overagePrice)} each, until the next period begins on ${end}.`;
  return {
    name: "quota-alert",
    subject: `${percentage} % of your ${quota.name} are used`,
    blocks: [
      paragraph(
        `The account ${oneLine(account.label)} has used ${count(used)} of the ${count(quota.limit)} ${quota.name} of this billing period.`,
      ),
      paragraph(consequence),
      { kind: "button", lead: "Details and plans", label: "See your plan", address: `${baseUrl}/app/billing` },
      { kind: "link", lead: "To stop these e-mails", address: `${baseUrl}/app/account` },
    ],
  };
}
const counts = new Intl.NumberFormat("en");
const count = (value: number) => counts.format(value);
