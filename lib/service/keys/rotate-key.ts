// Rotates an API key: issues new secrets of its kind, and stores them.
import type { ApiKey } from "../account/account.ts";
import { updateKeyRing } from "../account/account-store.ts";
import { isTestPrefix } from "./api-key.ts";
import { type IssuedKey, issueSecrets } from "./issue-key.ts";
import { findKey, type Rotation, withRotatedKey } from "./key-ring.ts";

/**
 * Gives a key a new text and a new signing secret; see `withRotatedKey`. `requireAllowed` is called with the key as it is, and stops
 * the rotation when it throws. Throws `NOT_FOUND` or `CONFLICT`.
 */
export async function rotateKey(
  table: string,
  { account_id, id }: Pick<ApiKey, "account_id" | "id">,
  rotation: Omit<Rotation, "secrets">,
  requireAllowed: (key: ApiKey) => void = () => {},
): Promise<IssuedKey> {
  let text = "";
  const ring = await updateKeyRing(table, account_id, (current) => {
    const before = findKey(current, id);
    requireAllowed(before);
    const { key, secrets } = issueSecrets({ isTest: isTestPrefix(before.key_prefix) });
    text = key;
    return withRotatedKey(current, id, { ...rotation, secrets });
  });
  return { key: text, apiKey: findKey(ring, id) };
}
