// Sends the notices by e-mail that other functions queue: quota alerts, first uses of API keys, events for the operator, paused
// receivers of webhooks, suspensions, and payments.
import * as v from "valibot";
import { SuspensionNoticeSchema, sendSuspensionNotice } from "../account/suspension-notice.ts";
import { sendQuotaAlerts } from "../billing/quota-alert.ts";
import { FirstUseSchema, sendFirstUseNotice } from "../keys/first-use-notice.ts";
import { MailedEventSchema, sendEventMail } from "../operator-events/event-mail.ts";
import { PaymentNoticeSchema, sendPaymentNotice } from "../payments/payment-notice.ts";
import type { Environment } from "../platform/environment.ts";
import { PausedReceiverSchema, sendPauseNotice } from "../receivers/pause-notice.ts";
import { type Mail, sendMail } from "./send-mail.ts";

/** A message about an account; without more, its quotas are to be checked. */
const MessageSchema = v.object({
  account_id: v.pipe(v.number(), v.safeInteger()),
  first_use: v.exactOptional(FirstUseSchema),
  operator_event: v.exactOptional(MailedEventSchema),
  paused_receiver: v.exactOptional(PausedReceiverSchema),
  suspension: v.exactOptional(SuspensionNoticeSchema),
  payment: v.exactOptional(PaymentNoticeSchema),
});

export type NoticeResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL" | "OPERATOR_MAIL"> & {
  readonly MAIL_FROM: string;
};

/**
 * Sends what a message of the queue asks for, at `now` (milliseconds since 1970). Rejects when a mail can't be sent, so that the queue
 * delivers the message again.
 */
export async function sendNotice(body: string, now: number, env: NoticeResources): Promise<void> {
  const message = v.parse(MessageSchema, JSON.parse(body));
  const { account_id: accountId, first_use: use, operator_event: event, paused_receiver: receiver } = message;
  const send = (mail: Omit<Mail, "from">) => sendMail({ from: env.MAIL_FROM, ...mail });
  const resources = { accountsTable: env.ACCOUNTS_TABLE, baseUrl: env.BASE_URL, send };
  if (receiver) return sendPauseNotice({ accountId, receiver }, resources);
  if (message.suspension) return sendSuspensionNotice({ accountId, notice: message.suspension }, resources);
  if (message.payment) return sendPaymentNotice({ accountId, notice: message.payment }, resources);
  if (use) return sendFirstUseNotice({ accountId, use }, { env, send });
  if (!event) return sendQuotaAlerts(accountId, now, { env, send });
  const { ACCOUNTS_TABLE: accountsTable, OPERATOR_MAIL: operator } = env;
  if (operator !== undefined) await sendEventMail(event, { accountsTable, operator, send });
}
