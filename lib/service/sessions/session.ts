// Schema of a session, and the caller that a request with a session is.
import * as v from "valibot";
import { AccountSchema, type Caller, type SessionCaller, scopes } from "../account/account.ts";

/** How a session can begin. */
export const signInMethods = ["link", "api_key", "email"] as const;

const milliseconds = v.number();

export const SessionSchema = v.object({
  /** The start of the token's hash: names the session in lists, and says nothing about the token. */
  id: v.string(),
  account_id: v.number(),
  signed_in_with: v.picklist(signInMethods),
  /** Hash of the API key that it began with. The session ends with that key. */
  api_key_hash: v.nullable(v.string()),
  created_at: milliseconds,
  last_used_at: milliseconds,
  expires_at: milliseconds,
  user_agent: v.nullable(v.string()),
  /** Network of the browser when it signed in; see `shortenAddress`. */
  network: v.string(),
  /** Proof that its user reads the mail of the account's current address, by the hash of that address. */
  address_proof: v.exactOptional(v.object({ address_hash: v.string(), expires_at: milliseconds })),
});
export type Session = v.InferOutput<typeof SessionSchema>;

/** The facts of an account that its owner sees. */
export const SessionAccountSchema = v.pick(AccountSchema, [
  "id",
  "plan",
  "billed_from",
  "past_subscriptions",
  "scheduled_plan",
  "previous_plan",
  "unpaid_invoices",
  "label",
  "email",
  "requested_plan",
  "quota_alerts",
  "key_alerts",
  "store_thumbnails",
  "created_at",
  "suspension",
]);
export type SessionAccount = v.InferOutput<typeof SessionAccountSchema>;

/** Id of the key that stands for a session where an API key's id is expected. No key has it. */
export const SESSION_KEY_ID = 0;

/**
 * Returns the caller that a session is. A session that began with an API key has that key's scopes, so that it can do no
 * more than the key; others have all scopes.
 */
export function sessionCaller({ account, signing_key_id }: SessionCaller, keyCaller?: Caller): Caller {
  return {
    account,
    key: {
      id: SESSION_KEY_ID,
      label: "Dashboard",
      key_prefix: "",
      scopes: keyCaller?.key.scopes ?? [...scopes],
      require_signature: false,
      expires_at: null,
      revoked_at: null,
      ...(signing_key_id !== null && { signing_key_id }),
      ...(keyCaller && { is_key_session: true as const }),
    },
  };
}

/** True for the caller of a session, false for that of an API key. */
export function isSessionCaller({ key }: Caller): boolean {
  return key.id === SESSION_KEY_ID;
}
