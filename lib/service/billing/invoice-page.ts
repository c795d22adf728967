// An invoice as a page of HTML, from which the service makes a PDF.

import { plans } from "../../contract/plans.ts";
import { html, rawHtml } from "../../site/html.ts";
import { writtenDay } from "../mail/written-dates.ts";
import type { invoice } from "./invoice.ts";
import { invoiceNumber } from "./invoice-number.ts";

export type InvoiceFacts = ReturnType<typeof invoice>;

export interface InvoiceParties {
  /** Address of the service, which stands for its seller. */
  readonly service: string;
  readonly account: { readonly id: number; readonly label: string; readonly email: string | null };
}

/** The page of an invoice. It loads nothing, and runs no scripts. */
export function invoicePage(facts: InvoiceFacts, { service, account }: InvoiceParties): string {
  const { period, status, plan, price, overage, quotas, total, payment, due_at } = facts;
  const number = invoiceNumber(account.id, period.start);
  const uses = Object.entries(quotas).map(
    ([name, { used, limit }]) =>
      html`<tr class="use"><td>${capitalized(name)}: ${count(used)} of ${count(limit)} included</td><td></td><td></td><td></td></tr>
    `,
  );
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Invoice ${number}</title>
<style>${rawHtml(STYLES)}</style>
<header>
  <div><strong>Screen Capture API</strong><br>${service}</div>
  <h1>${status === "open" ? "Interim statement" : "Invoice"}</h1>
</header>
<section class="facts">
  <div><h2>Billed to</h2>${account.label}${account.email !== null && account.email !== account.label && html`<br>${account.email}`}<br>Account ${account.id}</div>
  <dl>
    <dt>Number</dt><dd>${number}</dd>
    <dt>Period</dt><dd>${writtenDay(period.start)} – ${writtenDay(period.end)}</dd>
    <dt>Status</dt><dd>${status === "open" ? "open: the period has not ended" : "closed"}</dd>
    ${status === "closed" && payment !== null && html`<dt>Payment</dt><dd>${paymentText(payment, due_at)}</dd>`}
  </dl>
</section>
<table>
  <thead><tr><th>Description</th><th>Quantity</th><th>Unit price</th><th>Amount</th></tr></thead>
  <tbody>
    <tr><td>${plans[plan].label} plan</td><td>1</td><td>$${price}</td><td>$${price}</td></tr>
    ${uses}<tr><td>Captures beyond the quota</td><td>${count(overage.units)}</td><td>${overage.unit_price === null ? "–" : `$${overage.unit_price}`}</td><td>$${overage.amount}</td></tr>
  </tbody>
  <tfoot><tr><th colspan="3">Total (US dollars)</th><td>$${total}</td></tr></tfoot>
</table>
<footer>All times are in UTC. Failed captures and captures that the cache answered are free.</footer>
</html>`.text;
}

function paymentText(payment: NonNullable<InvoiceFacts["payment"]>, dueAt: string | null): string {
  return payment === "unpaid" && dueAt !== null ? `unpaid, due on ${writtenDay(dueAt)}` : payment;
}

const STYLES = `
@page { size: A4; margin: 22mm 20mm; }
body { margin: 0; font: 10.5pt/1.5 Arimo, Arial, "Noto Sans", sans-serif; color: #1a1d21; }
header { display: flex; justify-content: space-between; align-items: flex-start; border-bottom: 2px solid #1a1d21; padding-bottom: 12pt; }
h1 { margin: 0; font-size: 22pt; line-height: 1.1; font-weight: 700; }
h2 { margin: 0 0 2pt; font-size: 9pt; font-weight: 700; color: #5a626c; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 24pt; margin: 24pt 0 28pt; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2pt 12pt; margin: 0; }
dt { color: #5a626c; } dd { margin: 0; text-align: right; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 6pt 0 6pt 12pt; text-align: right; border-bottom: 1px solid #d5d9de; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
thead th { font-size: 9pt; color: #5a626c; }
.use td { color: #5a626c; padding-left: 12pt; font-size: 9.5pt; }
tfoot th, tfoot td { border-bottom: 0; border-top: 2px solid #1a1d21; font-size: 12pt; font-weight: 700; }
footer { margin-top: 30pt; color: #5a626c; font-size: 9pt; }`;
const counts = new Intl.NumberFormat("en");

const count = (value: number) => counts.format(value);
const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
