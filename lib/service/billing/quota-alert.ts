// Sends the quota alerts of an account that are due, each once in a billing period.
import { plans } from "../../contract/plans.ts";
import { readKeyRing } from "../account/account-store.ts";
import type { Mail } from "../mail/send-mail.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { periodAt } from "./billing-period.ts";
import { markAlerted, readPeriodUse, unmarkAlerted } from "./period-store.ts";
import { quotaAlertMail } from "./quota-alert-mail.ts";
import { dueAlerts } from "./quota-alerts.ts";

type AlertResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

/**
 * Sends the alerts of an account that are due at `now` (milliseconds since 1970). Percentages of which an
 * account without an address, or without the setting, isn't notified are marked, too: each capture would queue them again.
 * Rejects when a mail can't be sent, so that the queue delivers the message again.
 */
export async function sendQuotaAlerts(
  accountId: number,
  now: number,
  { env, send }: { readonly env: AlertResources; readonly send: (mail: Omit<Mail, "from">) => Promise<void> },
): Promise<void> {
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  const period = periodAt(account, now);
  const use = await readPeriodUse(env.USAGE_TABLE, accountId, period);
  const place = { accountId, start: period.start };
  for (const alert of dueAlerts(plans[account.plan], use)) {
    const { quota, percentage } = alert;
    const isFirst = await markAlerted(env.USAGE_TABLE, place, { name: quota.name, percentage });
    if (!isFirst || account.email === null || !account.quota_alerts) continue;
    try {
      const mail = quotaAlertMail(alert, { account, period, baseUrl: env.BASE_URL });
      await send({ to: account.email, ...mail });
    } catch (error) {
      const mark = { name: quota.name, before: use.alerted[quota.name] ?? 0 };
      await cleanUp(() => unmarkAlerted(env.USAGE_TABLE, place, mark), "quota alert not unmarked");
      throw error;
    }
    logInfo("quota alert sent", { account_id: accountId, quota: quota.name, percentage });
  }
}
