// Sends quota alerts and other notices by e-mail, one message of their queue at a time.

import { queueHandler } from "../lib/service/aws/queue-handler.ts";
import { sendNotice } from "../lib/service/mail/send-notice.ts";
import { environment } from "../lib/service/platform/environment.ts";

const { MAIL_FROM, ...env } = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "BASE_URL",
  "QUOTA_ALERT_QUEUE_URL",
  "MAIL_FROM",
  "OPERATOR_MAIL",
);
if (MAIL_FROM === undefined) throw new Error("The function needs MAIL_FROM.");

export const handler = queueHandler(env.QUOTA_ALERT_QUEUE_URL, async ({ body }) => {
  await sendNotice(body, Date.now(), { ...env, MAIL_FROM });
  return undefined;
});
