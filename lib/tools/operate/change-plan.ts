// Changes the plan of an account.

import type { PlanName } from "../../contract/plans.ts";
import type { KeyRing } from "../../service/account/account.ts";
import { readKeyRing, updateKeyRing } from "../../service/account/account-store.ts";
import { readPeriods } from "../../service/billing/period-store.ts";
import { withPlan } from "../../service/keys/key-ring.ts";

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
