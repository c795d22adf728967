// Every hour, closes the invoices of periods that have ended, and reminds of those that are overdue. A deployment invokes its new version
// once, before it gets traffic.
import { checkBilling, runBilling } from "../lib/service/payments/billing-run.ts";
import { environment } from "../lib/service/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "WEBHOOK_QUEUE_URL");

/** What invokes the function: its schedule, or the check of a new version. */
interface BillingRunEvent {
  /** Whether to read what a run needs, and to change nothing. */
  readonly is_check?: boolean;
}

export const handler = async (event: BillingRunEvent): Promise<void> => {
  if (event.is_check) return checkBilling(env);
  const { failed } = await runBilling(env, Date.now());
  if (failed > 0)
    throw new Error(`The billing of ${failed} accounts failed. The log names them; the next run tries again.`);
};
