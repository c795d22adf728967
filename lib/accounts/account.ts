// Accounts and their API keys, as they are stored.
import * as v from "valibot";
import { planNames } from "../billing/plans.ts";

/** What an API key may be used for. */
export const scopes = ["capture", "usage", "keys"] as const;
export type Scope = (typeof scopes)[number];

const id = v.pipe(v.number(), v.safeInteger());
const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const AccountSchema = v.object({
  id,
  plan: v.picklist(planNames),
  label: v.string(),
  created_at: timestamp,
  /** When its billing months begin: the day it took a paid plan. Null while it is on trial. */
  billed_from: v.nullable(timestamp),
  /** Grows with every change of the account and of its keys, so that none is made on what is no longer so. */
  version: v.number(),
});
export type Account = v.InferOutput<typeof AccountSchema>;

export const ApiKeySchema = v.object({
  id,
  account_id: id,
  label: v.string(),
  key_prefix: v.string(),
  /** What the key is found by. */
  hash: v.string(),
  scopes: v.array(v.picklist(scopes)),
  /** True where it opens nothing when it stands in a query, where everybody can read it, but a link it has signed does. */
  require_signature: v.optional(v.boolean(), false),
  /** Signs this key's webhooks and links. */
  signing_secret: v.string(),
  /** Those before rotations, latest first, each of which signs beside it until then. */
  previous_signing_secrets: v.optional(v.array(v.object({ secret: v.string(), until: timestamp })), []),
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
});
export type ApiKey = v.InferOutput<typeof ApiKeySchema>;

/** All that a request has to know of who sent it, so that one read by the key's hash tells it. */
export const CallerSchema = v.object({
  account: v.pick(AccountSchema, ["id", "plan", "created_at", "billed_from"]),
  key: v.pick(ApiKeySchema, ["id", "label", "key_prefix", "scopes", "require_signature", "expires_at", "revoked_at"]),
});
export type Caller = v.InferOutput<typeof CallerSchema>;

/** The same for a request by a signed link, with what links of the key are signed with. */
export const LinkCallerSchema = v.object({
  caller: CallerSchema,
  secrets: v.pick(ApiKeySchema, ["signing_secret", "previous_signing_secrets"]),
});
export type LinkCaller = v.InferOutput<typeof LinkCallerSchema>;

/** An account with all its keys, oldest first, revoked ones too. */
export interface KeyRing {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

/**
 * What webhooks and links of a key are signed with at `now` (milliseconds since 1970), the current secret first. A receiver that
 * knows one of them can verify; so nobody has to learn of a rotation in the moment it is made.
 */
export function signingSecrets(
  { signing_secret, previous_signing_secrets }: Pick<ApiKey, "signing_secret" | "previous_signing_secrets">,
  now: number,
): string[] {
  return [signing_secret, ...validSecrets(previous_signing_secrets, now).map(({ secret }) => secret)];
}

/** The previous secrets of a key that still sign at `now`. */
export function validSecrets(
  secrets: ApiKey["previous_signing_secrets"],
  now: number,
): ApiKey["previous_signing_secrets"] {
  return secrets.filter(({ until }) => Date.parse(until) > now);
}

/** The caller that presents a key of an account. */
export function toCaller(account: Account, key: ApiKey): Caller {
  return v.parse(CallerSchema, { account, key });
}

/** What a link gives that a key of an account has signed. */
export function toLinkCaller(account: Account, key: ApiKey): LinkCaller {
  return v.parse(LinkCallerSchema, { caller: toCaller(account, key), secrets: key });
}

/** Why a key does not open the door at `now` (milliseconds since 1970), or undefined when it does. */
export function invalidKeyReason({ key }: Caller, now: number): "revoked" | "expired" | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return undefined;
}
