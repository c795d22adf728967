// The plan with what is used of it, and the invoices, printable.
import type { Account, Invoice, Invoices } from "../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { formatCount, formatDate, formatMoney, planName } from "../format.ts";
import { Meter } from "../meter.tsx";
import { Notice } from "../notice.tsx";
import type { ScreenProps } from "../screen.ts";
import { useResource } from "../use-resource.ts";

type Quota = { readonly limit: number; readonly used: number };

export function BillingScreen({ session }: ScreenProps) {
  const account = useResource<Account>("/api/v1/account");
  const invoices = useResource<Invoices>("/api/v1/account/invoices");
  const problem = account.error ?? invoices.error;
  if (problem) return <Notice problem={problem} retry={invoices.reload} />;
  if (!account.data || !invoices.data) return null;
  const { plan, price, quotas } = account.data;
  return (
    <>
      <section class="no-print">
        <h2>
          {planName(plan)} plan, {formatMoney(price)} a month
        </h2>
        {quotasOf(quotas).map(([name, { used, limit }]) => (
          <Meter key={name} label={name} used={used} limit={limit} />
        ))}
        <p class="note">
          The <a href={`${apiBaseUrl}/docs/reference/plans`}>plans</a> differ in their quotas, rate limits, and prices.
          The operator of this service changes the plan of an account.
        </p>
      </section>
      <section>
        <h2>Invoices</h2>
        <ul class="invoices">
          {invoices.data.data.map((invoice) => (
            <InvoiceCard key={invoice.period.start} invoice={invoice} label={session.account.label} />
          ))}
        </ul>
      </section>
    </>
  );
}

function InvoiceCard({ invoice, label }: { readonly invoice: Invoice; readonly label: string }) {
  const { period, status, plan, price, overage, quotas, total } = invoice;
  return (
    <li>
      <details open={status === "open"}>
        <summary>
          <span>
            {formatDate(period.start)} – {formatDate(period.end)}
          </span>
          <span class={`badge badge-${status}`}>{status === "open" ? "so far" : "closed"}</span>
          <strong>{formatMoney(total)}</strong>
        </summary>
        <table>
          <caption>
            {label}, {planName(plan)} plan
          </caption>
          <tbody>
            <tr>
              <th scope="row">Price of the plan</th>
              <td>{formatMoney(price)}</td>
            </tr>
            {quotasOf(quotas).map(([name, { used, limit }]) => (
              <tr key={name}>
                <th scope="row">
                  {name}: {formatCount(used)} of {formatCount(limit)} included
                </th>
                <td />
              </tr>
            ))}
            <tr>
              <th scope="row">
                {formatCount(overage.units)} captures beyond the quota
                {overage.unit_price !== null && `, ${formatMoney(overage.unit_price)} each`}
              </th>
              <td>{formatMoney(overage.amount)}</td>
            </tr>
            <tr class="total">
              <th scope="row">Total</th>
              <td>{formatMoney(total)}</td>
            </tr>
          </tbody>
        </table>
        <button type="button" class="no-print" onClick={() => print()}>
          Print
        </button>
      </details>
    </li>
  );
}

function quotasOf(quotas: Account["quotas"]): [string, Quota][] {
  return (Object.entries(quotas) as [string, Quota | undefined][]).flatMap(([name, quota]) =>
    quota ? [[`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, quota] as [string, Quota]] : [],
  );
}
