// An API key as the API answers it.

import type { ApiKey } from "../account/account.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { isTestPrefix } from "./api-key.ts";
import type { IssuedKey as NewKey } from "./issue-key.ts";
import type { IssuedKeyResponse, Key } from "./responses.ts";

/** An API key without its secrets. `lastUses` are in milliseconds since 1970, by key id. */
export function keyResource(key: ApiKey, lastUses: ReadonlyMap<number, number>): ResponseBody<typeof Key> {
  const { id, label, key_prefix, scopes, require_signature, expires_at, created_at, revoked_at } = key;
  const lastUse = lastUses.get(id);
  const last_used_at = lastUse === undefined ? null : new Date(lastUse).toISOString();
  const test = isTestPrefix(key_prefix);
  return { id, label, key_prefix, scopes, require_signature, test, last_used_at, expires_at, created_at, revoked_at };
}

/** A key that was just issued, with its secrets. They are shown only in this response. */
export function issuedKeyResource(
  { apiKey, key }: NewKey,
  lastUses: ReadonlyMap<number, number>,
): ResponseBody<typeof IssuedKeyResponse> {
  return { ...keyResource(apiKey, lastUses), key, signing_secret: apiKey.signing_secret };
}
