// What is scheduled or requested, with a button that takes it back; else how plans change.
import type { Account } from "../../../../../clients/typescript/src/generated/types.ts";
import { formatUtcDate, planName } from "../../ui/format.ts";

interface ScheduledPlanNoteProps {
  readonly account: Account;
  readonly requested: string | null;
  readonly canChange: boolean;
  readonly hasPaymentPage: boolean;
  readonly isRunning: boolean;
  readonly onKeep: () => void;
  readonly onWithdraw: () => void;
}

export function ScheduledPlanNote({
  account: { plan, scheduled_plan: scheduled },
  requested,
  canChange,
  hasPaymentPage,
  isRunning,
  onKeep,
  onWithdraw,
}: ScheduledPlanNoteProps) {
  return (
    <p class="note" role="status">
      {!canChange && "To change the plan, sign in by e-mail or with the operator’s link, not with an API key. "}
      {scheduled ? (
        <>
          {scheduled.plan === null
            ? `Your plan is cancelled, and ends on ${formatUtcDate(scheduled.at)}.`
            : `Your plan changes to ${planName(scheduled.plan)} on ${formatUtcDate(scheduled.at)}.`}{" "}
          {canChange && (
            <button type="button" class="quiet" disabled={isRunning} onClick={onKeep}>
              Keep {planName(plan)}
            </button>
          )}
        </>
      ) : requested !== null ? (
        <>
          You asked the operator for the plan {planName(requested)}.{" "}
          {canChange && (
            <button type="button" class="quiet" disabled={isRunning} onClick={onWithdraw}>
              Withdraw the request
            </button>
          )}
        </>
      ) : (
        <>
          {!hasPaymentPage && "The operator of this service sets a larger plan; nothing is paid here. "}
          The whole current billing period is billed by a larger plan. A smaller one begins with the next period.
        </>
      )}
    </p>
  );
}
