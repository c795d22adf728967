// New keys and their secrets, which are shown only when they are made.
import { randomBytes } from "node:crypto";
import { createId } from "../platform/ids.ts";
import type { ApiKey } from "./account.ts";
import { createApiKey, displayPrefix, hashApiKey, KEY_ENTROPY_BYTES } from "./api-key.ts";

/** A key with its text, of which only a hash is stored. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** What a key that is rotated gets anew. */
export type KeySecrets = Pick<ApiKey, "key_prefix" | "hash" | "signing_secret">;

/** A new key of an account, not stored yet. `now` is in milliseconds since 1970. */
export function issueKey(
  facts: Pick<ApiKey, "account_id" | "label" | "scopes" | "expires_at"> & Partial<Pick<ApiKey, "require_signature">>,
  now: number,
): IssuedKey {
  const { key, secrets } = issueSecrets();
  const created_at = new Date(now).toISOString();
  const apiKey: ApiKey = {
    id: createId(now, Math.random()),
    require_signature: false,
    ...facts,
    ...secrets,
    previous_signing_secrets: [],
    created_at,
    revoked_at: null,
  };
  return { key, apiKey };
}

/** The text of a new key, and what is stored of it. */
export function issueSecrets(): { readonly key: string; readonly secrets: KeySecrets } {
  const key = createApiKey(randomBytes(KEY_ENTROPY_BYTES));
  const signing_secret = `whsec_${randomBytes(32).toString("base64")}`; // the form of https://www.standardwebhooks.com
  return { key, secrets: { key_prefix: displayPrefix(key), hash: hashApiKey(key), signing_secret } };
}
