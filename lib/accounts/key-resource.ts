// An API key as its owner sees it.
import type { ApiKey } from "./account.ts";
import type { IssuedKey } from "./issue-key.ts";

/** What is told of a key at any time. `lastUses` are milliseconds since 1970, by the ids of keys. */
export function keyResource(key: ApiKey, lastUses: ReadonlyMap<number, number>) {
  const { id, label, key_prefix, scopes, require_signature, expires_at, created_at, revoked_at } = key;
  const lastUse = lastUses.get(id);
  const last_used_at = lastUse === undefined ? null : new Date(lastUse).toISOString();
  return { id, label, key_prefix, scopes, require_signature, last_used_at, expires_at, created_at, revoked_at };
}

/** The same with the secrets of a key that was just issued, which are shown this once. */
export function issuedKeyResource({ apiKey, key }: IssuedKey, lastUses: ReadonlyMap<number, number>) {
  return { ...keyResource(apiKey, lastUses), key, signing_secret: apiKey.signing_secret };
}
