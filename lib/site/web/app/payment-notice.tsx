// Above each screen: an invoice whose payment failed, or that is overdue.
import { formatMoney, formatUtcDate } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { addressOf } from "../ui/router.ts";
import { useAction } from "../ui/use-action.ts";
import { openPaymentPage } from "./plans/open-payment-page.ts";
import type { SessionState, UnpaidInvoice } from "./session.ts";

export function PaymentNotice({ session }: { readonly session: SessionState }) {
  const action = useAction();
  const shown = session.account.unpaid_invoices.filter(
    (invoice) => invoice.payment_failed_at !== null || isOverdue(invoice),
  );
  if (shown.length === 0) return null;
  const canPay = session.has_payment_page && session.session.signed_in_with !== "api_key";
  return (
    <section class="suspension no-print" aria-labelledby="payment">
      <h2 id="payment">{shown.length === 1 ? "An invoice is not paid" : `${shown.length} invoices are not paid`}</h2>
      <ul>
        {shown.map((invoice) => (
          <li key={invoice.number}>
            {invoice.number}, <strong>{formatMoney(invoice.total)}</strong>: {stateOf(invoice)}
          </li>
        ))}
      </ul>
      <p class="form-actions">
        {canPay && (
          <button type="button" disabled={action.isRunning} onClick={() => void action.run(() => openPaymentPage())}>
            Pay
          </button>
        )}
        <a class="button" href={addressOf("billing")}>
          See the invoices
        </a>
      </p>
      {action.problem && <Notice problem={action.problem} />}
    </section>
  );
}

function isOverdue({ due_at }: UnpaidInvoice): boolean {
  return Date.parse(due_at) <= Date.now();
}

function stateOf(invoice: UnpaidInvoice): string {
  const due = `${isOverdue(invoice) ? "overdue since" : "due on"} ${formatUtcDate(invoice.due_at)}`;
  return invoice.payment_failed_at === null
    ? due
    : `a payment failed on ${formatUtcDate(invoice.payment_failed_at)}, ${due}`;
}
