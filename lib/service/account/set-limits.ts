// Sets limits of one account that override those of its plan.
import type { Write } from "../aws/transaction.ts";
import type { KeyRing } from "./account.ts";
import { updateKeyRing } from "./account-store.ts";
import { type LimitChanges, withLimits } from "./limits.ts";

/**
 * Sets and removes overrides of an account's limits at `now` (milliseconds since 1970), for all its keys, sessions, and links at once.
 * `further` items are stored in the same transaction; nothing is stored when nothing changes. Throws `VALIDATION_ERROR` as `withLimits`
 * does, an error for an unknown account, and `FurtherWriteFailed`.
 */
export async function setLimits(
  accountsTable: string,
  { accountId, changes, now }: { readonly accountId: number; readonly changes: LimitChanges; readonly now: number },
  further?: (before: KeyRing) => readonly Write[],
): Promise<KeyRing> {
  return updateKeyRing(accountsTable, accountId, (ring) => withLimits(ring, changes, now), further);
}
