// Another plan for an account, from now on.

import type { KeyRing } from "../accounts/account.ts";
import { readKeyRing, updateKeyRing } from "../accounts/account-store.ts";
import { withPlan } from "../accounts/key-ring.ts";
import { readPeriods } from "../billing/period-store.ts";
import type { PlanName } from "../billing/plans.ts";

/**
 * Changes the plan of an account at `now` (milliseconds since 1970). Periods that have ended keep the terms of the old
 * one; the one that is running is billed by the new one as a whole. Throws when there is no such account, and a RangeError
 * for a way back into the trial.
 */
export async function changePlan(
  tables: { readonly accounts: string; readonly usage: string },
  { accountId, plan, now }: { accountId: number; plan: PlanName; now: number },
): Promise<KeyRing> {
  const { account } = await readKeyRing(tables.accounts, accountId);
  await readPeriods(tables.usage, account, now); // keeps the terms of those that have ended
  return updateKeyRing(tables.accounts, accountId, (current) => withPlan(current, plan, new Date(now).toISOString()));
}
