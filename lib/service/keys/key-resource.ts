// An API key as the API answers it.

import { type ApiKey, validTexts } from "../account/account.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { isTestPrefix } from "./api-key.ts";
import type { IssuedKey as NewKey } from "./issue-key.ts";
import type { KeyUse } from "./key-use.ts";
import type { IssuedKeyResponse, Key } from "./responses.ts";

/** An API key at `now` (milliseconds since 1970), without its secrets. */
export function keyResource(key: ApiKey, use: KeyUse, now: number): ResponseBody<typeof Key> {
  const { id, label, key_prefix, scopes, require_signature, expires_at, created_at, revoked_at } = key;
  const lastUse = use.lastUses.get(id);
  const texts = revoked_at === null ? validTexts(key, now) : [];
  return {
    id,
    label,
    key_prefix,
    previous_texts: texts.map((text) => ({ key_prefix: text.key_prefix, ends_at: text.until })),
    scopes,
    require_signature,
    test: isTestPrefix(key_prefix),
    monthly_limit: key.monthly_limit?.captures ?? null,
    monthly_used: use.captures.get(id) ?? 0,
    last_used_at: lastUse === undefined ? null : new Date(lastUse).toISOString(),
    expires_at,
    created_at,
    revoked_at,
  };
}

/** A key that was just issued, with its secrets. They are shown only in this response. */
export function issuedKeyResource(
  { apiKey, key }: NewKey,
  use: KeyUse,
  now: number,
): ResponseBody<typeof IssuedKeyResponse> {
  return { ...keyResource(apiKey, use, now), key, signing_secret: apiKey.signing_secret };
}
