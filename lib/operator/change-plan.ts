// Changes the plan of an account.

import type { KeyRing } from "../accounts/account.ts";
import { readKeyRing, updateKeyRing } from "../accounts/account-store.ts";
import { withPlan } from "../accounts/key-ring.ts";
import { readPeriods } from "../billing/period-store.ts";
import type { PlanName } from "../billing/plans.ts";

/**
 * Changes the plan of an account at `now` (milliseconds since 1970). Past billing periods keep the terms of the old plan; the
 * current one is billed by the new plan as a whole. Throws for an unknown account, and a RangeError for a change back to the
 * trial.
 */
export async function changePlan(
  tables: { readonly accounts: string; readonly usage: string },
  { accountId, plan, now }: { accountId: number; plan: PlanName; now: number },
): Promise<KeyRing> {
  const { account } = await readKeyRing(tables.accounts, accountId);
  await readPeriods(tables.usage, account, now); // stores the terms of past periods
  return updateKeyRing(tables.accounts, accountId, (current) => withPlan(current, plan, new Date(now).toISOString()));
}
