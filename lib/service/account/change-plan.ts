// Changes the plan of an account.
import type { PlanName } from "../../contract/plans.ts";
import type { Write } from "../aws/transaction.ts";
import { readPeriods } from "../billing/period-store.ts";
import { withPlan } from "../keys/key-ring.ts";
import type { KeyRing } from "./account.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";

/**
 * Changes the plan of an account at `now` (milliseconds since 1970). Past billing periods keep the terms of the old plan; the
 * current one is billed by the new plan as a whole. `further` items are stored in the same transaction. Throws for an unknown account, and a
 * RangeError for a change back to the trial.
 */
export async function changePlan(
  tables: { readonly accounts: string; readonly usage: string },
  { accountId, plan, now }: { readonly accountId: number; readonly plan: PlanName; readonly now: number },
  further?: (before: KeyRing) => readonly Write[],
): Promise<KeyRing> {
  const { account } = await readKeyRing(tables.accounts, accountId);
  await readPeriods(tables.usage, account, now); // stores the terms of past periods
  const change = (current: KeyRing) => withPlan(current, plan, new Date(now).toISOString());
  return updateKeyRing(tables.accounts, accountId, change, further);
}
