// The unpaid invoices of an account, which are stored with it: its owner is shown them, and the billing run reminds of them.

import type { Account, KeyRing, UnpaidInvoice } from "../account/account.ts";
import { invoiceNumber } from "../billing/invoice-number.ts";
import { daysAfter, type PaymentTerms } from "../billing/payment.ts";

/** The account reminds of as many; older ones stay unpaid in the list of invoices. */
const MAX_UNPAID = 24;

type WithUnpaid = Pick<Account, "unpaid_invoices">;

/** Returns the account with an invoice among those to pay, in place of what it had of the invoice. */
export function withUnpaid<A extends WithUnpaid>(account: A, invoice: UnpaidInvoice): A {
  const others = (account.unpaid_invoices ?? []).filter(({ start }) => start !== invoice.start);
  const unpaid_invoices = [...others, invoice].toSorted((a, b) => (a.start < b.start ? -1 : 1)).slice(-MAX_UNPAID);
  return { ...account, unpaid_invoices };
}

/** Returns the account without the invoice of the period that starts then among those to pay. */
export function withoutUnpaid<A extends WithUnpaid>({ unpaid_invoices: unpaid = [], ...account }: A, start: string) {
  const others = unpaid.filter((invoice) => invoice.start !== start);
  return { ...account, ...(others.length > 0 && { unpaid_invoices: others }) };
}

/** Finds the invoice of the period that starts then among those to pay. */
export function findUnpaid({ unpaid_invoices = [] }: WithUnpaid, start: string): UnpaidInvoice | undefined {
  return unpaid_invoices.find((invoice) => invoice.start === start);
}

/** True if an invoice is overdue at `now` (milliseconds since 1970). */
export function isOverdue(
  { end }: Pick<UnpaidInvoice, "end">,
  { overdueAfterDays }: PaymentTerms,
  now: number,
): boolean {
  return daysAfter(end, overdueAfterDays) <= now;
}

/** True if the account of an invoice is to be suspended at `now` (milliseconds since 1970). */
export function isForSuspension(
  { end }: Pick<UnpaidInvoice, "end">,
  { suspendAfterDays }: PaymentTerms,
  now: number,
): boolean {
  return suspendAfterDays !== undefined && daysAfter(end, suspendAfterDays) <= now;
}

/** An unpaid invoice as its owner is shown it. */
export function shownUnpaid(
  { id, unpaid_invoices = [] }: Pick<KeyRing["account"], "id"> & WithUnpaid,
  terms: PaymentTerms,
) {
  return unpaid_invoices.map(({ start, end, total, failed_at }) => ({
    number: invoiceNumber(id, start),
    period: { start, end },
    currency: "usd" as const,
    total,
    due_at: new Date(daysAfter(end, terms.overdueAfterDays)).toISOString(),
    payment_failed_at: failed_at ?? null,
  }));
}
