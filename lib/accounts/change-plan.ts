// Another plan for an account, from now on.
import type { PlanName } from "../contract/plans.ts";
import type { KeyRing } from "./account.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";
import { withPlan } from "./key-ring.ts";
import { readPeriods } from "./period-store.ts";

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
