// Changes the plan of an account, at once or at the end of its billing period.
import { ApiError } from "../../contract/errors/api-error.ts";
import { isSmallerPlan, type PlanName, plans } from "../../contract/plans.ts";
import type { Write } from "../aws/transaction.ts";
import { periodAt } from "../billing/billing-period.ts";
import { readPeriods } from "../billing/period-store.ts";
import { withPlan } from "../keys/key-ring.ts";
import type { Account, KeyRing } from "./account.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";
import { withoutScheduledPlan } from "./scheduled-plan.ts";

export interface PlanTables {
  readonly accounts: string;
  readonly usage: string;
}

/** Items that are stored in the transaction of a change, by the account as it was before. */
type Further = (before: KeyRing) => readonly Write[];

/** Changes more of the account together with its plan. */
type Complete = (ring: KeyRing) => KeyRing;

/**
 * Changes the plan of an account at `now` (milliseconds since 1970). Past billing periods keep the terms of the old plan; the
 * current one is billed by the new plan as a whole. What was scheduled is replaced. `further` items are stored in the same transaction.
 * Throws for an unknown account, and a RangeError for a change back to the trial.
 */
export function changePlan(
  tables: PlanTables,
  { accountId, plan, now }: { readonly accountId: number; readonly plan: PlanName; readonly now: number },
  further?: Further,
  complete: Complete = (ring) => ring,
): Promise<KeyRing> {
  const apply = (ring: KeyRing) => complete(withPlan(ring, plan, new Date(now).toISOString()));
  return change(tables, { accountId, now }, apply, further);
}

/**
 * Schedules a smaller plan, or with null the end of the plan, for the end of the account's billing period. Until then, the plan stays, and
 * the change can be withdrawn. Changes nothing when that is scheduled already. Throws `CONFLICT` for an account without a paid plan, and for a
 * plan that isn't smaller.
 */
export function schedulePlan(
  tables: PlanTables,
  { accountId, plan, now }: { readonly accountId: number; readonly plan: PlanName | null; readonly now: number },
  further?: Further,
  complete: Complete = (ring) => ring,
): Promise<KeyRing> {
  const schedule = (ring: KeyRing): KeyRing => {
    const { account } = ring;
    requireSmallerPlan(account, plan);
    const scheduled_plan = { plan, at: periodAt(account, now).end };
    const isScheduled = account.scheduled_plan?.plan === plan && account.scheduled_plan.at === scheduled_plan.at;
    return isScheduled ? ring : { ...ring, account: { ...account, scheduled_plan, requested_plan: null } };
  };
  return change(tables, { accountId, now }, (ring) => complete(schedule(ring)), further);
}

/** Withdraws what is scheduled: the account keeps its plan. Changes nothing when nothing is scheduled. */
export function withdrawScheduledPlan(
  tables: Pick<PlanTables, "accounts">,
  accountId: number,
  further?: Further,
): Promise<KeyRing> {
  const withdraw = (ring: KeyRing): KeyRing =>
    ring.account.scheduled_plan ? { ...ring, account: withoutScheduledPlan(ring.account) } : ring;
  return updateKeyRing(tables.accounts, accountId, withdraw, further);
}

async function change(
  tables: PlanTables,
  { accountId, now }: { readonly accountId: number; readonly now: number },
  apply: (ring: KeyRing) => KeyRing,
  further?: Further,
): Promise<KeyRing> {
  const { account } = await readKeyRing(tables.accounts, accountId);
  await readPeriods(tables.usage, account, now); // stores the terms of past periods
  return updateKeyRing(tables.accounts, accountId, apply, further);
}

function requireSmallerPlan({ plan: current, billed_from }: Account, plan: PlanName | null): void {
  if (billed_from === null) throw new ApiError("CONFLICT", "The account has no paid plan, so that none can end.");
  if (plan === null || isSmallerPlan(plan, current)) return;
  const message =
    plan === current
      ? `The account has the plan ${plans[plan].label} already.`
      : `The plan ${plans[plan].label} is larger than ${plans[current].label}. A larger plan begins at once, not at the end of a period.`;
  throw new ApiError("CONFLICT", message);
}
