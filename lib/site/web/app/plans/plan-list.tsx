// The plans: a larger one is taken on the operator's page for payments, or asked for; a smaller one, or none, begins with the next billing period.
import { useRef } from "preact/hooks";
import type { Account } from "../../../../../clients/typescript/src/generated/types.ts";
import { planFacts, planPrice } from "../../../../contract/plan-facts.ts";
import { isSmallerPlan, type PlanName, planNames, plans } from "../../../../contract/plans.ts";
import { send } from "../../ui/api.ts";
import { formatCount, formatUtcDate, planName } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useQuestion } from "../question.tsx";
import type { SessionState } from "../session.ts";
import { openPaymentPage } from "./open-payment-page.ts";
import { PlanQuestion } from "./plan-question.tsx";
import { ScheduledPlanNote } from "./scheduled-plan-note.tsx";

interface PlanListProps {
  readonly account: Account;
  readonly session: SessionState;
  readonly onChanged: () => void;
}

export function PlanList({ account, session, onChanged }: PlanListProps) {
  const action = useAction();
  const box = useRef<HTMLElement>(null);
  const { question, close, button } = useQuestion<PlanName>(box); // `free` is the cancellation
  const { plan: current, scheduled_plan: scheduled } = account;
  const { requested_plan: requested } = session.account;
  const canChange = session.session.signed_in_with !== "api_key"; // the owner alone
  const change = (plan: string | null) =>
    action.run(
      () => send("POST", "/api/v1/account/plan-change", { plan }),
      () => {
        close();
        onChanged();
      },
    );
  const keep = () => action.run(() => send("DELETE", "/api/v1/account/plan-change"), onChanged);
  const ask = (requested_plan: string | null) =>
    action.run(() => send("PATCH", "/api/v1/account/settings", { requested_plan }), onChanged);

  const choiceOf = (name: PlanName) => {
    if (scheduled?.plan === name) return <p class="note">From {formatUtcDate(scheduled.at)}</p>;
    if (name === current) {
      if (name !== "free") return <p class="note">Your plan{scheduled && ` until ${formatUtcDate(scheduled.at)}`}</p>;
      return account.trial && <p class="note">Your trial</p>;
    }
    if (name === "free" || !canChange) return null;
    if (name === requested) return <p class="note">Requested</p>;
    if (isSmallerPlan(name, current)) return button(name, `Change to ${planName(name)}`, action.isRunning);
    return session.has_payment_page ? (
      <button type="button" disabled={action.isRunning} onClick={() => void action.run(() => openPaymentPage(name))}>
        {current === "free" ? "Take" : "Upgrade to"} {planName(name)}
      </button>
    ) : (
      <button type="button" disabled={action.isRunning} onClick={() => void ask(name)}>
        Ask for {planName(name)}
      </button>
    );
  };

  return (
    <section class="no-print" ref={box}>
      <h2>Plans</h2>
      <ul class="plans">
        {planNames.map((name) => (
          <li key={name} class={name === current ? "is-current" : ""}>
            <PlanFacts name={name} isFirst={current === "free" && account.plan_ended_at === null} />
            {choiceOf(name)}
          </li>
        ))}
      </ul>
      <ScheduledPlanNote
        {...{ account, canChange, requested }}
        hasPaymentPage={session.has_payment_page}
        isRunning={action.isRunning}
        onKeep={() => void keep()}
        onWithdraw={() => void ask(null)}
      />
      {canChange && current !== "free" && scheduled?.plan !== null && (
        <p class="form-actions">{button("free", "Cancel the plan")}</p>
      )}
      {question && (
        <PlanQuestion
          account={account}
          plan={question === "free" ? null : question}
          isRunning={action.isRunning}
          onCancel={close}
          onSubmit={() => void change(question === "free" ? null : question)}
        />
      )}
      {action.problem && <Notice problem={action.problem} />}
    </section>
  );
}

/** `isFirst` is true for an account that has had no plan yet. */
function PlanFacts({ name, isFirst }: { readonly name: PlanName; readonly isFirst: boolean }) {
  const { amount, period } = planPrice(plans[name]);
  return (
    <>
      <h3>{plans[name].label}</h3>
      <p class="plan-price">
        <strong>{amount}</strong> {period}
      </p>
      <ul>
        {planFacts(plans[name], { hasFirstMonth: isFirst, count: formatCount }).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </>
  );
}
