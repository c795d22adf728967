// Issues API keys with their signing secrets; both are returned only once, when they are created.
import { randomBytes } from "node:crypto";
import type { ApiKey } from "../account/account.ts";
import { createId } from "../platform/ids.ts";
import { createApiKey, displayPrefix, hashApiKey, KEY_ENTROPY_BYTES } from "./api-key.ts";

/** A new key with its plain text. Only the hash of the text is stored. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** The fields that a rotation replaces. */
export type KeySecrets = Pick<ApiKey, "key_prefix" | "hash" | "reports_first_use" | "signing_secret">;

/** Creates a key of an account without storing it. `now` is milliseconds since 1970. */
export function issueKey(
  {
    isTest = false,
    ...facts
  }: Pick<ApiKey, "account_id" | "label" | "scopes" | "expires_at"> &
    Partial<Pick<ApiKey, "require_signature" | "monthly_limit">> & { readonly isTest?: boolean },
  now: number,
): IssuedKey {
  const { key, secrets } = issueSecrets({ isTest });
  const created_at = new Date(now).toISOString();
  const apiKey: ApiKey = {
    id: createId(now, Math.random()),
    require_signature: false,
    monthly_limit: null,
    ...facts,
    ...secrets,
    previous_signing_secrets: [],
    previous_texts: [],
    created_at,
    revoked_at: null,
  };
  return { key, apiKey };
}

/** Creates the plain text of a key and the fields stored for it. */
export function issueSecrets({ isTest = false } = {}): {
  readonly key: string;
  readonly secrets: KeySecrets;
} {
  const key = createApiKey(randomBytes(KEY_ENTROPY_BYTES), isTest ? "test" : "live");
  const text = { key_prefix: displayPrefix(key), hash: hashApiKey(key), reports_first_use: true };
  return { key, secrets: { ...text, signing_secret: createSigningSecret() } };
}

/** Creates a signing secret of 256 bits, in the format of https://www.standardwebhooks.com. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
