// Every hour, closes the invoices of periods that have ended, and reminds of those that are overdue.
import { runBilling } from "../lib/service/payments/billing-run.ts";
import { environment } from "../lib/service/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "WEBHOOK_QUEUE_URL");

export const handler = async (): Promise<void> => {
  const { failed } = await runBilling(env, Date.now());
  if (failed > 0)
    throw new Error(`The billing of ${failed} accounts failed. The log names them; the next run tries again.`);
};
