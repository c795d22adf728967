// New accounts and keys, with the secrets that are shown only when they are made.
import { randomBytes } from "node:crypto";
import { createId } from "../contract/ids.ts";
import { type PlanName, plans } from "../contract/plans.ts";
import { type Account, type ApiKey, type KeyRing, scopes } from "./account.ts";
import { createKeyRing } from "./account-store.ts";
import { createApiKey, hashApiKey, KEY_ENTROPY_BYTES, shownPrefix } from "./api-key.ts";

/** A key with its text, of which only a hash is stored. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** What a key that is rotated gets anew. */
type Secrets = Pick<ApiKey, "key_prefix" | "hash" | "signing_secret">;

/** Opens an account with one key of every scope. `now` is in milliseconds since 1970. */
export async function openAccount(
  table: string,
  { plan, label, now }: { plan: PlanName; label: string; now: number },
): Promise<IssuedKey & { readonly ring: KeyRing }> {
  const created_at = new Date(now).toISOString();
  const isTrial = plans[plan].trialDays !== undefined;
  const id = createId(now, Math.random());
  const account: Account = { id, plan, label, created_at, billed_from: isTrial ? null : created_at, version: 1 };
  const issued = issueKey({ account_id: id, label, scopes: [...scopes], expires_at: null }, now);
  const ring = { account, keys: [issued.apiKey] };
  await createKeyRing(table, ring);
  return { ...issued, ring };
}

/** A new key of an account, not stored yet. `now` is in milliseconds since 1970. */
export function issueKey(
  facts: Pick<ApiKey, "account_id" | "label" | "scopes" | "expires_at">,
  now: number,
): IssuedKey {
  const { key, secrets } = issueSecrets();
  const created_at = new Date(now).toISOString();
  return { key, apiKey: { id: createId(now, Math.random()), ...facts, ...secrets, created_at, revoked_at: null } };
}

/** The text of a new key, and what is stored of it. */
export function issueSecrets(): { readonly key: string; readonly secrets: Secrets } {
  const key = createApiKey(randomBytes(KEY_ENTROPY_BYTES));
  const signing_secret = `whsec_${randomBytes(32).toString("base64")}`; // the form of https://www.standardwebhooks.com
  return { key, secrets: { key_prefix: shownPrefix(key), hash: hashApiKey(key), signing_secret } };
}
