// Revokes all API keys of an account, before its data is deleted.
import type { KeyRing } from "../account/account.ts";
import { updateKeyRing } from "../account/account-store.ts";
import { withRevokedKey } from "../keys/key-ring.ts";

/** With the callers of its previous texts, a key takes at most 13 items of a transaction. DynamoDB allows 100. */
const REVOKED_AT_ONCE = 6;

/** Revokes all keys of an account. Throws when the account does not exist. `now` is a timestamp. */
export async function revokeAllKeys(table: string, accountId: number, now: string): Promise<KeyRing> {
  for (;;) {
    const ring = await updateKeyRing(table, accountId, (current) => {
      const active = current.keys.filter(({ revoked_at }) => revoked_at === null).slice(0, REVOKED_AT_ONCE);
      return active.reduce((changed, { id }) => withRevokedKey(changed, id, now), current);
    });
    if (ring.keys.every(({ revoked_at }) => revoked_at !== null)) return ring;
  }
}
