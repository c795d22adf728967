// The plan with what is used of it, the other plans, and the invoices, to print and as PDF.
import type { Account, Invoice, Invoices } from "../../../../../clients/typescript/src/generated/types.ts";
import { planPrice } from "../../../../contract/plan-facts.ts";
import { plans } from "../../../../contract/plans.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { countText, formatCount, formatMoney, formatUtcDate } from "../../ui/format.ts";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import { PlanList } from "../plans/plan-list.tsx";
import { planText } from "../plans/plan-text.ts";
import { listQuotas } from "../quotas.ts";
import type { ScreenProps } from "../screen.ts";
import type { SessionState } from "../session.ts";
import { Billing as Skeleton } from "../skeletons.tsx";

/** The owner of a suspended account sees the invoices alone. */
export function BillingScreen({ session, reloadSession }: ScreenProps) {
  const isActive = session.account.suspension === null;
  const account = useResource<Account>("/api/v1/account", isActive);
  const invoices = useResource<Invoices>("/api/v1/account/invoices");
  const problem = account.error ?? invoices.error;
  if (problem) return <Notice problem={problem} retry={account.error ? account.reload : invoices.reload} />;
  if ((isActive && !account.data) || !invoices.data) {
    return <Skeleton />;
  }
  return (
    <>
      {account.data && <CurrentPlan account={account.data} session={session} />}
      {account.data && (
        <PlanList
          account={account.data}
          session={session}
          onChanged={() => {
            reloadSession();
            account.reload();
          }}
        />
      )}
      <section>
        <h2>Invoices</h2>
        <p class="note">Billing periods begin and end in UTC.</p>
        <ul class="invoices">
          {invoices.data.data.map((invoice) => (
            <InvoiceCard key={invoice.period.start} invoice={invoice} label={session.account.label} />
          ))}
        </ul>
      </section>
    </>
  );
}

function planTitle({ plan, price, trial, plan_ended_at }: Account): string {
  if (plan_ended_at !== null) return `No plan since ${formatUtcDate(plan_ended_at)}`;
  if (trial) {
    const { amount, period } = planPrice(plans[plan]);
    return `${planText(plan)}, ${amount} ${period}, ${trial.is_over ? "ended on" : "until"} ${formatUtcDate(trial.ends_at)}`;
  }
  return `${planText(plan)}, ${formatMoney(price)} this month`;
}

interface CurrentPlanProps {
  readonly account: Account;
  readonly session: SessionState;
}

function CurrentPlan({ account, session }: CurrentPlanProps) {
  const { quotas } = account;
  return (
    <section class="no-print">
      <h2>{planTitle(account)}</h2>
      {listQuotas(quotas).map(({ name, used, limit }) => (
        <Meter key={name} label={name} used={used} limit={limit} />
      ))}
      {session.sign_in.email && (
        <p class="note">
          {session.account.quota_alerts && session.account.email !== null
            ? `${session.account.email} gets an e-mail when 50, 80, and 100 % of a quota are used.`
            : "No e-mail is sent when a quota is nearly used."}{" "}
          <a href={addressOf("account")}>Change that</a>
        </p>
      )}
    </section>
  );
}

function PaymentBadge({ invoice: { payment, due_at } }: { readonly invoice: Invoice }) {
  const isOverdue = due_at !== null && Date.parse(due_at) <= Date.now();
  return (
    <span class={`badge badge-${payment}`}>
      {payment === "unpaid" && due_at !== null
        ? `${isOverdue ? "overdue since" : "unpaid, due on"} ${formatUtcDate(due_at)}`
        : payment}
    </span>
  );
}

function InvoiceCard({ invoice, label }: { readonly invoice: Invoice; readonly label: string }) {
  const { period, status, plan, price, overage, quotas, total, payment } = invoice;
  const pdf = `${apiBaseUrl}/api/v1/account/invoices/${encodeURIComponent(period.start)}/pdf`;
  return (
    <li>
      <details open={status === "open"}>
        <summary>
          <span>
            {formatUtcDate(period.start)} – {formatUtcDate(period.end)}
          </span>
          <span class={`badge badge-${status}`}>{status === "open" ? "so far" : "closed"}</span>
          {status === "closed" && payment !== null && <PaymentBadge invoice={invoice} />}
          <strong>{formatMoney(total)}</strong>
        </summary>
        <table>
          <caption>
            {label}, {planText(plan)}
          </caption>
          <tbody>
            <tr>
              <th scope="row">Price of the plan</th>
              <td>{formatMoney(price)}</td>
            </tr>
            {listQuotas(quotas).map(({ name, used, limit }) => (
              <tr key={name}>
                <th scope="row">
                  {name}: {formatCount(used)} of {formatCount(limit)} included
                </th>
                <td />
              </tr>
            ))}
            <tr>
              <th scope="row">
                {countText(overage.units, "capture")} beyond the quota
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
        <p class="form-actions no-print">
          <a class="button" href={pdf} download>
            Download PDF
          </a>
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </p>
      </details>
    </li>
  );
}
