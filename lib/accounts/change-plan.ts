// Another plan for an account, from now on.
import type { PlanName } from "../contract/plans.ts";
import type { KeyRing } from "./account.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";
import { withPlan } from "./key-ring.ts";
import { readPeriods } from "./period-store.ts";

/**
 * Changes the plan of an account at `now` (milliseconds since 1970). Periods that have ended keep the terms of the old
 * one; the one that is running is billed by the new one as a whole. Resolves to undefined when there is no such account.
 * Throws a RangeError for a way back into the trial.
 */
export async function changePlan(
  tables: { readonly accounts: string; readonly usage: string },
  { accountId, plan, now }: { accountId: number; plan: PlanName; now: number },
): Promise<KeyRing | undefined> {
  const ring = await readKeyRing(tables.accounts, accountId);
  if (!ring) return undefined;
  await readPeriods(tables.usage, ring.account, now); // keeps the terms of those that have ended
  return updateKeyRing(tables.accounts, accountId, (current) => withPlan(current, plan, new Date(now).toISOString()));
}
