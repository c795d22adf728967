// The plan with what is used of it, a request for another one, and the invoices, to print and as PDF.
import type { Account, Invoice, Invoices } from "../../../../../clients/typescript/src/generated/types.ts";
import { dollars } from "../../../../contract/money.ts";
import { planNames, planQuotas, plans } from "../../../../contract/plans.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { send } from "../../ui/api.ts";
import { countText, formatCount, formatDate, formatMoney, planName } from "../../ui/format.ts";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useAction } from "../../ui/use-action.ts";
import { useResource } from "../../ui/use-resource.ts";
import { listQuotas } from "../quotas.ts";
import type { ScreenProps } from "../screen.ts";
import type { SessionState } from "../session.ts";

/** The owner of a suspended account sees the invoices alone. */
export function BillingScreen({ session, reloadSession }: ScreenProps) {
  const isActive = session.account.suspension === null;
  const account = useResource<Account>("/api/v1/account", isActive);
  const invoices = useResource<Invoices>("/api/v1/account/invoices");
  const problem = account.error ?? invoices.error;
  if (problem) return <Notice problem={problem} retry={account.error ? account.reload : invoices.reload} />;
  if ((isActive && !account.data) || !invoices.data) {
    return <div class="placeholder placeholder-list" aria-busy={invoices.isSlow} />;
  }
  return (
    <>
      {account.data && <CurrentPlan account={account.data} session={session} />}
      {account.data && (
        <PlanList
          current={account.data.plan}
          requested={session.account.requested_plan}
          canAsk={session.session.signed_in_with !== "api_key"}
          onChanged={reloadSession}
        />
      )}
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

interface CurrentPlanProps {
  readonly account: Account;
  readonly session: SessionState;
}

function CurrentPlan({ account: { plan, price, quotas }, session }: CurrentPlanProps) {
  return (
    <section class="no-print">
      <h2>
        {planName(plan)} plan, {formatMoney(price)} a month
      </h2>
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

interface PlanListProps {
  readonly current: string;
  readonly requested: string | null;
  /** Whether the visitor is the owner of the account, who alone can ask for a plan. */
  readonly canAsk: boolean;
  readonly onChanged: () => void;
}

function PlanList({ current, requested, canAsk, onChanged }: PlanListProps) {
  const action = useAction();
  const ask = (requested_plan: string | null) =>
    action.run(() => send("PATCH", "/api/v1/account/settings", { requested_plan }), onChanged);
  return (
    <section class="no-print">
      <h2>Plans</h2>
      <ul class="plans">
        {planNames.map((name) => {
          const { label, price, overagePrice, requestsPerMinute } = plans[name];
          return (
            <li key={name} class={name === current ? "is-current" : ""}>
              <h3>{label}</h3>
              <p class="plan-price">
                <strong>{formatMoney(dollars(price))}</strong> a month
              </p>
              <ul>
                {planQuotas(plans[name]).map((quota) => (
                  <li key={quota.name}>
                    {formatCount(quota.limit)} {quota.name}
                  </li>
                ))}
                <li>
                  {overagePrice === undefined ? "none beyond" : `${formatMoney(dollars(overagePrice))} each beyond`}
                </li>
                <li>{countText(requestsPerMinute, "request")} a minute</li>
              </ul>
              <PlanChoice
                name={name}
                {...{ current, requested, canAsk }}
                isDisabled={action.isRunning}
                onAsk={() => void ask(name)}
              />
            </li>
          );
        })}
      </ul>
      <p class="note" role="status">
        {!canAsk && "To ask for a plan, sign in by e-mail or with the operator’s link, not with an API key. "}
        {requested === null ? (
          "The operator of this service changes plans; nothing is paid here. The current billing period is then billed by the new plan."
        ) : (
          <>
            You asked the operator for the plan {planName(requested)}.{" "}
            {canAsk && (
              <button type="button" class="quiet" disabled={action.isRunning} onClick={() => void ask(null)}>
                Withdraw the request
              </button>
            )}
          </>
        )}
      </p>
      {action.problem && <Notice problem={action.problem} />}
    </section>
  );
}

interface PlanChoiceProps extends Pick<PlanListProps, "current" | "requested" | "canAsk"> {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onAsk: () => void;
}

function PlanChoice({ name, current, requested, canAsk, isDisabled, onAsk }: PlanChoiceProps) {
  if (name === current) return <p class="note">Your plan</p>;
  if (name === requested) return <p class="note">Requested</p>;
  if (name === "free" || !canAsk) return null;
  return (
    <button type="button" disabled={isDisabled} onClick={onAsk}>
      Ask for {planName(name)}
    </button>
  );
}

function InvoiceCard({ invoice, label }: { readonly invoice: Invoice; readonly label: string }) {
  const { period, status, plan, price, overage, quotas, total } = invoice;
  const pdf = `${apiBaseUrl}/api/v1/account/invoices/${encodeURIComponent(period.start)}/pdf`;
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
