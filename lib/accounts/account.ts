// Accounts and their API keys, as they are stored.
import * as v from "valibot";

export const planNames = ["free", "starter", "pro", "max"] as const;
export const scopes = ["capture", "usage", "keys"] as const;
export type Scope = (typeof scopes)[number];

const id = v.pipe(v.number(), v.safeInteger());
const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const AccountSchema = v.object({
  id,
  plan: v.picklist(planNames),
  label: v.string(),
  created_at: timestamp,
});
export type Account = v.InferOutput<typeof AccountSchema>;

export const ApiKeySchema = v.object({
  id,
  account_id: id,
  label: v.string(),
  key_prefix: v.string(),
  scopes: v.array(v.picklist(scopes)),
  /** Signs this key's webhooks. */
  signing_secret: v.string(),
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
});
export type ApiKey = v.InferOutput<typeof ApiKeySchema>;

/** Why a stored key does not open the door at `now` (milliseconds since 1970), or undefined when it does. */
export function refusal(key: ApiKey, now: number): "revoked" | "expired" | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return undefined;
}

/** The key as its owner sees it: everything but the secrets. */
export function publicApiKey({
  account_id: _,
  signing_secret: __,
  ...shown
}: ApiKey): Omit<ApiKey, "account_id" | "signing_secret"> {
  return shown;
}
