// The invoices of an account, newest first.
import { formatMoney, planName } from "../../ui/format.ts";
import type { AccountInvoice } from "../answers.ts";
import { UtcDay } from "../time.tsx";

export function InvoiceTable({ invoices }: { readonly invoices: readonly AccountInvoice[] }) {
  return (
    <section>
      <h2>Invoices</h2>
      {invoices.length === 0 ? (
        <p class="note">The account has no invoice.</p>
      ) : (
        <table class="dense">
          <thead>
            <tr>
              <th scope="col">Period (UTC)</th>
              <th scope="col">Plan</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {invoices.map(({ period, plan, status, payment, total }) => (
              <tr key={period.start}>
                <th scope="row">
                  <UtcDay at={period.start} /> – <UtcDay at={period.end} />
                </th>
                <td>{planName(plan)}</td>
                <td>
                  <span class="badge">{status === "open" ? "so far" : "closed"}</span>
                  {status === "closed" && payment !== null && <span class="badge">{payment}</span>}
                </td>
                <td class="number">{formatMoney(total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
