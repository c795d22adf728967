// Schemas of accounts, API keys and callers as they are stored.
import * as v from "valibot";
import { planNames } from "../../contract/plans.ts";

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
  /** Start of the billing months: when the account took its first paid plan. Null during the trial. */
  billed_from: v.nullable(timestamp),
  /** False for an account without a trial, because its mailbox has had one. */
  has_trial: v.exactOptional(v.literal(false)),
  /** Address by which its owner signs in. */
  email: v.optional(v.nullable(v.string()), null),
  /** Plan that its owner asks the operator for. */
  requested_plan: v.optional(v.nullable(v.picklist(planNames)), null),
  /** Whether its owner is notified by e-mail how much of a quota is used. */
  quota_alerts: v.optional(v.boolean(), true),
  /** Optimistic lock: incremented by every change of the account or its keys. */
  version: v.number(),
});
export type Account = v.InferOutput<typeof AccountSchema>;

export const ApiKeySchema = v.object({
  id,
  account_id: id,
  label: v.string(),
  key_prefix: v.string(),
  /** SHA-256 of the key, by which it is found. */
  hash: v.string(),
  scopes: v.array(v.picklist(scopes)),
  /**
   * True when the key is rejected as a query parameter, where it is visible, and only its signed links are accepted.
   */
  require_signature: v.optional(v.boolean(), false),
  /** HMAC key of this key's webhooks and signed links. */
  signing_secret: v.string(),
  /**
   * Secrets from before rotations, latest first; each signs webhooks until `until`, and links until `links_until`, or none
   * without it.
   */
  previous_signing_secrets: v.optional(
    v.array(v.object({ secret: v.string(), until: timestamp, links_until: v.exactOptional(timestamp) })),
    [],
  ),
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
});
export type ApiKey = v.InferOutput<typeof ApiKeySchema>;

/** The facts authentication needs, stored together so that one read by the key's hash returns them. */
export const CallerSchema = v.object({
  account: v.pick(AccountSchema, ["id", "plan", "created_at", "billed_from", "has_trial"]),
  key: v.object({
    ...v.pick(ApiKeySchema, ["id", "label", "key_prefix", "scopes", "require_signature", "expires_at", "revoked_at"])
      .entries,
    /** The key that signs webhooks, where the caller is a session: that has no secret of its own. */
    signing_key_id: v.exactOptional(id),
    /** True where the caller is a session that began with an API key. */
    is_key_session: v.exactOptional(v.literal(true)),
  }),
});
export type Caller = v.InferOutput<typeof CallerSchema>;

/** The facts from which the caller of an account's sessions is made. */
export const SessionCallerSchema = v.object({
  account: CallerSchema.entries.account,
  /** The oldest key that is not revoked, which signs the webhooks of sessions; null without one. */
  signing_key_id: v.nullable(id),
});
export type SessionCaller = v.InferOutput<typeof SessionCallerSchema>;

/** The caller of a signed link, with the secrets that verify its signature. */
export const LinkCallerSchema = v.object({
  caller: CallerSchema,
  secrets: v.pick(ApiKeySchema, ["signing_secret", "previous_signing_secrets"]),
});
export type LinkCaller = v.InferOutput<typeof LinkCallerSchema>;

/** An account with all its keys, oldest first, including revoked ones. */
export interface KeyRing {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

/** The secrets of a key, from which links are verified and webhooks signed. */
export type SigningSecrets = Pick<ApiKey, "signing_secret" | "previous_signing_secrets">;

/**
 * Returns the secrets that sign a key's webhooks at `now` (milliseconds since 1970), the current one first. After a rotation
 * both secrets sign for a while, so that receivers can switch without downtime.
 */
export function signingSecrets({ signing_secret, previous_signing_secrets }: SigningSecrets, now: number): string[] {
  return [signing_secret, ...validSecrets(previous_signing_secrets, now).map(({ secret }) => secret)];
}

/**
 * Returns the secrets that verify a key's links at `now` (milliseconds since 1970), the current one first. A link does not say
 * when it was signed, so as long as a previous secret verifies links, it can sign new ones: it does only for as long
 * as the rotation requested.
 */
export function linkSecrets({ signing_secret, previous_signing_secrets }: SigningSecrets, now: number): string[] {
  const previous = previous_signing_secrets.filter(
    ({ links_until }) => links_until !== undefined && Date.parse(links_until) > now,
  );
  return [signing_secret, ...previous.map(({ secret }) => secret)];
}

/** Returns the previous secrets that are still valid at `now` (milliseconds since 1970). */
export function validSecrets(
  secrets: ApiKey["previous_signing_secrets"],
  now: number,
): ApiKey["previous_signing_secrets"] {
  return secrets.filter(({ until }) => Date.parse(until) > now);
}

/** Returns the caller of an account's key, without its secrets. */
export function toCaller(account: Account, key: ApiKey): Caller {
  return v.parse(CallerSchema, { account, key });
}

/** Returns the facts of the caller of an account's sessions. */
export function toSessionCaller({ account, keys }: KeyRing): SessionCaller {
  const signing_key_id = keys.find(({ revoked_at }) => revoked_at === null)?.id ?? null;
  return v.parse(SessionCallerSchema, { account, signing_key_id });
}

/** Returns the caller of links that this key signs. */
export function toLinkCaller(account: Account, key: ApiKey): LinkCaller {
  return v.parse(LinkCallerSchema, { caller: toCaller(account, key), secrets: key });
}

/** Returns why a key is rejected at `now` (milliseconds since 1970), or undefined when it is valid. */
export function invalidKeyReason({ key }: Caller, now: number): "revoked" | "expired" | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return undefined;
}
