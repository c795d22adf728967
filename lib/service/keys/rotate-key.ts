// Rotates an API key: issues new secrets of its kind, and stores them.
import type { ApiKey, KeyRing } from "../account/account.ts";
import { updateKeyRing } from "../account/account-store.ts";
import type { Write } from "../aws/transaction.ts";
import { isTestPrefix } from "./api-key.ts";
import { type IssuedKey, issueSecrets } from "./issue-key.ts";
import { findKey, type Rotation, withRotatedKey } from "./key-ring.ts";

/**
 * Gives a key a new text and a new signing secret; see `withRotatedKey`. `requireAllowed` is called with the key as it is, and stops
 * the rotation when it throws. `further` items are stored in the same transaction. Throws `NOT_FOUND` or `CONFLICT`.
 */
export async function rotateKey(
  table: string,
  { account_id, id }: Pick<ApiKey, "account_id" | "id">,
  rotation: Omit<Rotation, "secrets">,
  {
    requireAllowed = () => {},
    further,
  }: {
    readonly requireAllowed?: (key: ApiKey) => void;
    readonly further?: (before: KeyRing) => readonly Write[];
  } = {},
): Promise<IssuedKey> {
  let text = "";
  const rotate = (current: KeyRing) => {
    const before = findKey(current, id);
    requireAllowed(before);
    const { key, secrets } = issueSecrets({ isTest: isTestPrefix(before.key_prefix) });
    text = key;
    return withRotatedKey(current, id, { ...rotation, secrets });
  };
  const ring = await updateKeyRing(table, account_id, rotate, further);
  return { key: text, apiKey: findKey(ring, id) };
}
