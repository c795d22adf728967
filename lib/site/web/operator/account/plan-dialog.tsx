// Changes the plan of an account.
import { useState } from "preact/hooks";
import { dollars } from "../../../../contract/money.ts";
import { planNames, planQuotas, plans } from "../../../../contract/plans.ts";
import { SelectField } from "../../ui/form.tsx";
import { countText, formatCount, formatMoney, planName } from "../../ui/format.ts";
import { useSend } from "../../ui/frame.ts";
import { ActionDialog, ReasonField, withReason } from "../action-dialog.tsx";
import type { AccountDetails } from "../answers.ts";
import { API } from "../requests.ts";
import type { ActionProps } from "./action-props.ts";

export function PlanDialog({ account, onChanged, onClose }: ActionProps) {
  const send = useSend();
  const { id, label, plan: current, requested_plan } = account;
  const [plan, setPlan] = useState(requested_plan ?? current);
  const [reason, setReason] = useState("");
  const act = async () =>
    onChanged(
      await send<AccountDetails>("POST", `${API}/accounts/${id}/plan`, {
        plan,
        ...withReason(reason),
      }),
    );
  const chosen = planNames.find((name) => name === plan);
  return (
    <ActionDialog
      title={`Change the plan of “${label}”`}
      answer={plan === current ? "Change the plan" : `Change to ${planName(plan)}`}
      isIncomplete={plan === current}
      {...{ act, onClose }}
    >
      <SelectField
        id="plan"
        label="Plan"
        value={plan}
        options={planNames.map((name) => [name, optionText(name, account)])}
        onChoose={setPlan}
      />
      {chosen && <p class="note">{describe(chosen)}</p>}
      <p>It applies at once, and the current billing period is billed by the new plan.</p>
      <ReasonField id="plan-reason" label="Reason, for the audit log (optional)" value={reason} onText={setReason} />
    </ActionDialog>
  );
}

function optionText(
  name: (typeof planNames)[number],
  { plan, requested_plan }: Pick<AccountDetails, "plan" | "requested_plan">,
): string {
  const standing = name === plan ? " (now)" : name === requested_plan ? " (the owner asks for it)" : "";
  return `${plans[name].label}${standing}`;
}

function describe(name: (typeof planNames)[number]): string {
  const { price, requestsPerMinute } = plans[name];
  const quotas = planQuotas(plans[name]).map((quota) => `${formatCount(quota.limit)} ${quota.name}`);
  return `${formatMoney(dollars(price))} a month, ${quotas.join(", ")}, ${countText(requestsPerMinute, "request")} a minute`;
}
