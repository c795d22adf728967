// The variables from which functions know whether payments are recorded, and when an invoice is due.
import { isBillingPage } from "../../service/payments/billing-address.ts";
import type { StageConfig } from "../stages.ts";
import type { ServiceFunction } from "./service-function.ts";

/** Tells a function when invoices are due, in a stage that records payments. Throws for settings that contradict each other. */
export function setPaymentTerms(fn: ServiceFunction, { billing }: StageConfig): void {
  if (!billing) return;
  const { url, overdueAfterDays, suspendAfterDays } = billing;
  if (url !== undefined && !isBillingPage(url))
    throw new Error(`The setting "billing.url" is an https address without a query, not "${url}".`);
  if (!(overdueAfterDays >= 1))
    throw new Error('The setting "billing.overdueAfterDays" is a number of days from 1 on.');
  fn.setEnvironment("OVERDUE_AFTER_DAYS", String(overdueAfterDays));
  if (suspendAfterDays === undefined) return;
  if (suspendAfterDays < overdueAfterDays)
    throw new Error(
      'The setting "billing.suspendAfterDays" is at least "billing.overdueAfterDays": owners are reminded first.',
    );
  fn.setEnvironment("SUSPEND_OVERDUE_AFTER_DAYS", String(suspendAfterDays));
}
