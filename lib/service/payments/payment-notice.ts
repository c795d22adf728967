// Tells the owner of an account by e-mail that a payment failed, or that an invoice is overdue.
import * as v from "valibot";
import type { UnpaidInvoice } from "../account/account.ts";
import { readKeyRing } from "../account/account-store.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import { invoiceNumber } from "../billing/invoice-number.ts";
import { daysAfter, type PaymentTerms, paymentTerms } from "../billing/payment.ts";
import { type MailDocument, paragraph } from "../mail/mail-document.ts";
import type { NoticeSender } from "../mail/send-mail.ts";
import { writtenDay } from "../mail/written-dates.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { findUnpaid } from "./unpaid-invoices.ts";

export const PaymentNoticeSchema = v.object({
  state: v.picklist(["failed", "overdue"]),
  /** Start of the period of the invoice. */
  start: v.string(),
});
export type PaymentNotice = v.InferOutput<typeof PaymentNoticeSchema>;

/** Queues the mail. Does nothing where no mail is configured. */
export async function queuePaymentNotice(accountId: number, payment: PaymentNotice): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl !== undefined) await sendForAccount(queueUrl, { account_id: accountId, payment });
}

/**
 * Sends the mail, unless the account has no address, or the invoice was paid meanwhile. Rejects when it can't be sent, so that the queue
 * delivers the message again.
 */
export async function sendPaymentNotice(
  { accountId, notice: { state, start } }: { readonly accountId: number; readonly notice: PaymentNotice },
  { accountsTable, baseUrl, send }: NoticeSender,
): Promise<void> {
  const { account } = await readKeyRing(accountsTable, accountId);
  const invoice = findUnpaid(account, start);
  const terms = paymentTerms();
  if (account.email === null || !invoice || !terms) return;
  await send({ to: account.email, ...paymentMail(state, invoice, { accountId, baseUrl, terms }) });
  logInfo("payment reported", { account_id: accountId, state });
}

/** `baseUrl` is the address of the service, without a trailing slash. */
export function paymentMail(
  state: PaymentNotice["state"],
  { start, end, total }: UnpaidInvoice,
  { accountId, baseUrl, terms }: { readonly accountId: number; readonly baseUrl: string; readonly terms: PaymentTerms },
): MailDocument<"failed-payment" | "overdue-payment"> {
  const number = invoiceNumber(accountId, start);
  const due = writtenDay(daysAfter(end, terms.overdueAfterDays));
  const { suspendAfterDays } = terms;
  const consequence =
    suspendAfterDays === undefined
      ? []
      : [
          paragraph(
            `If it is not paid by ${writtenDay(daysAfter(end, suspendAfterDays))}, the account is suspended. A payment ends that.`,
          ),
        ];
  return {
    name: state === "failed" ? "failed-payment" : "overdue-payment",
    subject: state === "failed" ? `The payment of $${total} failed` : `An invoice of $${total} is overdue`,
    blocks: [
      paragraph(
        `The invoice ${number} of the account ${accountId} at ${baseUrl} is about the period from ${writtenDay(start)} to ` +
          `${writtenDay(end)}, and its total is $${total}.`,
      ),
      paragraph(
        state === "failed"
          ? `A payment of it has failed. It is due on ${due}.`
          : `It was due on ${due}, and no payment has arrived.`,
      ),
      ...consequence,
      {
        kind: "button",
        lead: "To pay it, and to change how you pay",
        label: "Open billing",
        address: `${baseUrl}/app/billing`,
      },
    ],
  };
}
