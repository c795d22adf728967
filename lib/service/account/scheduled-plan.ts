// The scheduled plan of an account: what its plan becomes at the end of a billing period. It applies from that moment on without a write:
// a read of the account, or of one of its callers, returns the plan as of now.
import type { Account } from "./account.ts";

type Planned = Pick<Account, "plan" | "billed_from" | "past_subscriptions" | "scheduled_plan" | "previous_plan">;

/**
 * Returns the account with the plan that it has at `now` (milliseconds since 1970); the account itself while no scheduled plan is due.
 * After a cancellation it has the plan of the trial, whose captures are refused, and `billed_from` is null.
 */
export function applyScheduledPlan<A extends Planned>(account: A, now: number): A {
  const { scheduled_plan: scheduled, ...rest } = account;
  if (!scheduled || Date.parse(scheduled.at) > now) return account;
  const { plan, billed_from, past_subscriptions: past = [] } = account;
  const { at } = scheduled;
  const ended =
    scheduled.plan === null && billed_from !== null
      ? { billed_from: null, past_subscriptions: [...past, { from: billed_from, until: at }] }
      : {};
  return { ...(rest as A), ...ended, plan: scheduled.plan ?? "free", previous_plan: { plan, until: at } };
}

/** Returns the account without its scheduled plan: it keeps the plan that it has. */
export function withoutScheduledPlan<A extends Planned>({
  scheduled_plan: _,
  ...account
}: A): Omit<A, "scheduled_plan"> {
  return account;
}
