// Asks before a smaller plan, or the end of a plan, is scheduled, and says what happens then.
import type { Account } from "../../../../../clients/typescript/src/generated/types.ts";
import { dollars } from "../../../../contract/money.ts";
import { monthlyCost } from "../../../../contract/plan-cost.ts";
import { type PlanName, planQuotas, plans } from "../../../../contract/plans.ts";
import { formatCount, formatMoney, formatUtcDate, planName } from "../../ui/format.ts";
import { Question } from "../question.tsx";

interface PlanQuestionProps {
  readonly account: Account;
  /** Null for a cancellation. */
  readonly plan: PlanName | null;
  readonly isRunning: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

export function PlanQuestion({ account, plan, isRunning, onSubmit, onCancel }: PlanQuestionProps) {
  const end = formatUtcDate(account.billing_period.end);
  const label = plan === null ? "Cancel the plan" : `Change to ${planName(plan)}`;
  return (
    <Question {...{ label, isRunning, onSubmit, onCancel }} answer={label} isDangerous={plan === null}>
      <p>
        {planName(account.plan)} stays as it is until {end} (UTC), and this period’s invoice is due. Until then, you can
        take this back.
      </p>
      {plan === null ? (
        <p>
          After that, captures are refused, and nothing more is billed. Your account, its log, and its invoices stay.
        </p>
      ) : (
        <SmallerPlan account={account} plan={plan} />
      )}
    </Question>
  );
}

/** What happens to captures beyond the quota of the smaller plan, with the captures of this period as the example. */
function SmallerPlan({ account: { quotas }, plan }: { readonly account: Account; readonly plan: PlanName }) {
  const { overagePrice } = plans[plan];
  const used =
    "captures" in quotas
      ? { screenshots: quotas.captures.used, videos: 0 }
      : { screenshots: quotas.screenshots.used, videos: quotas.videos.used };
  const cost = monthlyCost(plans[plan], used);
  const included = planQuotas(plans[plan])
    .map(({ name, limit }) => `${formatCount(limit)} ${name}`)
    .join(" and ");
  return (
    <p>
      After that, a month includes {included}
      {overagePrice !== undefined && `, and each capture beyond costs ${formatMoney(dollars(overagePrice))}`}. You have
      made {formatCount(used.screenshots + used.videos)} in this period
      {cost !== undefined && `: with ${planName(plan)}, such a month costs about ${formatMoney(dollars(cost))}`}.
    </p>
  );
}
