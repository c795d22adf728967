// The settings of payments of the local service, from environment variables.
import { isBillingPage } from "../../../service/payments/billing-address.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { isLoopback } from "../loopback.ts";

/** The variables of functions: empty where payments are not recorded, or there is no page for them. */
export type BillingVariables = Readonly<
  Record<"BILLING_URL" | "OVERDUE_AFTER_DAYS" | "SUSPEND_OVERDUE_AFTER_DAYS", string>
>;

/** Owners have two weeks where a page for payments is set, and nothing else. */
const DEFAULT_OVERDUE_AFTER_DAYS = "14";

/** Throws `LocalServiceError` for an invalid setting. An empty one counts as missing. */
export function readBillingSettings(variables: Readonly<Record<string, string | undefined>>): BillingVariables {
  const { BILLING_URL = "", SUSPEND_OVERDUE_AFTER_DAYS = "" } = variables;
  const overdue = variables["OVERDUE_AFTER_DAYS"] || (BILLING_URL === "" ? "" : DEFAULT_OVERDUE_AFTER_DAYS);
  requireDays("OVERDUE_AFTER_DAYS", overdue);
  requireDays("SUSPEND_OVERDUE_AFTER_DAYS", SUSPEND_OVERDUE_AFTER_DAYS);
  if (SUSPEND_OVERDUE_AFTER_DAYS !== "" && (overdue === "" || Number(SUSPEND_OVERDUE_AFTER_DAYS) < Number(overdue)))
    throw new LocalServiceError(
      "SUSPEND_OVERDUE_AFTER_DAYS needs OVERDUE_AFTER_DAYS, and is at least as large: owners are reminded first.",
    );
  if (BILLING_URL !== "" && !isBillingPage(BILLING_URL, isLoopback))
    throw new LocalServiceError(
      `BILLING_URL must be an https address without a query, such as https://pay.example.com/plans, not '${BILLING_URL}'.`,
    );
  return { BILLING_URL, OVERDUE_AFTER_DAYS: overdue, SUSPEND_OVERDUE_AFTER_DAYS };
}

function requireDays(name: string, value: string): void {
  if (value !== "" && !/^[1-9]\d{0,2}$/.test(value))
    throw new LocalServiceError(`${name} must be a number of days from 1 to 999, not '${value}'.`);
}
