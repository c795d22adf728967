// Schemas of accounts, API keys and callers as they are stored.
import * as v from "valibot";
import { planNames } from "../../contract/plans.ts";

/** Whether the plan's price is due while an account is suspended. */
export const suspensionBillings = ["stop", "continue"] as const;

/** What an API key may be used for. */
export const scopes = ["capture", "usage", "keys"] as const;
export type Scope = (typeof scopes)[number];

const id = v.pipe(v.number(), v.safeInteger());
const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Why an account is suspended: only its owner can do what is left, such as an export of its data. */
const SuspensionSchema = v.object({
  /** The operator's reason, which the owner is shown. */
  reason: v.string(),
  at: timestamp,
  billing: v.picklist(suspensionBillings),
  /** True when the service has suspended the account for an invoice that is overdue: a payment ends it. */
  is_for_payment: v.exactOptional(v.literal(true)),
});
export type Suspension = v.InferOutput<typeof SuspensionSchema>;

/** The limits of a plan that the operator can set otherwise for one account. */
export const limitNames = [
  "requests_per_minute",
  "concurrent_captures",
  "captures_per_day",
  "api_keys",
  "concurrent_jobs",
] as const;
export type LimitName = (typeof limitNames)[number];

/** Limits of one account that override those of its plan, each until a time; null for one without an end. */
const LimitsSchema = v.record(v.picklist(limitNames), v.object({ value: v.number(), until: v.nullable(timestamp) }));
export type LimitOverrides = v.InferOutput<typeof LimitsSchema>;

/** Where the account has no plan, `plan` is null. */
const ScheduledPlanSchema = v.object({ plan: v.nullable(v.picklist(planNames)), at: timestamp });
export type ScheduledPlan = v.InferOutput<typeof ScheduledPlanSchema>;

/** An invoice that is closed and neither paid nor void. */
const UnpaidInvoiceSchema = v.object({
  /** The period that it bills. */
  start: timestamp,
  end: timestamp,
  /** Dollars as decimal text. */
  total: v.string(),
  /** When a payment of it failed last. */
  failed_at: v.exactOptional(timestamp),
  /** When its owner was told that it is overdue. */
  reminded_at: v.exactOptional(timestamp),
});
export type UnpaidInvoice = v.InferOutput<typeof UnpaidInvoiceSchema>;

export const AccountSchema = v.object({
  id,
  /** As of now: a scheduled plan is applied when the account is read (scheduled-plan.ts). */
  plan: v.picklist(planNames),
  label: v.string(),
  created_at: timestamp,
  /** Start of the billing months: when the account took its paid plan. Null while it has none. */
  billed_from: v.nullable(timestamp),
  /** Times in which it had a paid plan that was cancelled, oldest first. */
  past_subscriptions: v.exactOptional(v.array(v.object({ from: timestamp, until: timestamp }))),
  /** What its plan becomes at the end of a billing period: a smaller one, or after a cancellation none. */
  scheduled_plan: v.exactOptional(ScheduledPlanSchema),
  /** The plan before the one that was scheduled: periods before `until` are billed by it. */
  previous_plan: v.exactOptional(v.object({ plan: v.picklist(planNames), until: timestamp })),
  /** False for an account without a trial, because its mailbox has had one. */
  has_trial: v.exactOptional(v.literal(false)),
  /** Address by which its owner signs in. */
  email: v.optional(v.nullable(v.string()), null),
  /** Plan that its owner asks the operator for. */
  requested_plan: v.optional(v.nullable(v.picklist(planNames)), null),
  /** Whether its owner is notified by e-mail how much of a quota is used. */
  quota_alerts: v.optional(v.boolean(), true),
  /** Whether its owner is notified by e-mail when a new text of an API key is first used. */
  key_alerts: v.optional(v.boolean(), true),
  /** Whether captures store a thumbnail where their request doesn't say. */
  store_thumbnails: v.optional(v.boolean(), true),
  /** Present while the account is suspended. */
  suspension: v.exactOptional(SuspensionSchema),
  /** Times in which the plan's price was not due, oldest first: those of suspensions that stopped billing. */
  billing_stops: v.exactOptional(v.array(v.object({ from: timestamp, until: v.nullable(timestamp) }))),
  limits: v.exactOptional(LimitsSchema),
  /** When the payment provider set the plan last, by its clock: an event from before is outdated. */
  plan_event_at: v.exactOptional(timestamp),
  /** Oldest first. */
  unpaid_invoices: v.exactOptional(v.array(UnpaidInvoiceSchema)),
  /** Optimistic lock: incremented by every change of the account or its keys. */
  version: v.number(),
});
export type Account = v.InferOutput<typeof AccountSchema>;

/** How many captures of a key can succeed in a billing period. */
const MonthlyLimitSchema = v.object({
  captures: v.number(),
  /** What the key captured in the period that starts at `start` before it had a limit: its counter lacks these captures. */
  earlier: v.object({ start: timestamp, captures: v.number() }),
});
export type MonthlyLimit = v.InferOutput<typeof MonthlyLimitSchema>;

export const ApiKeySchema = v.object({
  id,
  account_id: id,
  label: v.string(),
  key_prefix: v.string(),
  /** SHA-256 of the key, by which it is found. */
  hash: v.string(),
  /** Whether the first use of the text is reported to the owner of the account; false for texts from before there were reports. */
  reports_first_use: v.optional(v.boolean(), false),
  scopes: v.array(v.picklist(scopes)),
  /**
   * True when the key is rejected as a query parameter, where it is visible, and only its signed links are accepted.
   */
  require_signature: v.optional(v.boolean(), false),
  /** HMAC key of this key's webhooks and signed links: plain text when it is new, encrypted as it is stored. */
  signing_secret: v.string(),
  /**
   * Secrets from before rotations, latest first; each signs webhooks until `until`, and links until `links_until`, or none
   * without it.
   */
  previous_signing_secrets: v.optional(
    v.array(v.object({ secret: v.string(), until: timestamp, links_until: v.exactOptional(timestamp) })),
    [],
  ),
  /** Texts from before rotations, latest first; each authenticates until `until`. Those that have ended may be missing. */
  previous_texts: v.optional(
    v.array(
      v.object({
        key_prefix: v.string(),
        hash: v.string(),
        reports_first_use: v.optional(v.boolean(), false),
        until: timestamp,
      }),
    ),
    [],
  ),
  monthly_limit: v.optional(v.nullable(MonthlyLimitSchema), null),
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
});
export type ApiKey = v.InferOutput<typeof ApiKeySchema>;
export type PreviousText = ApiKey["previous_texts"][number];

/** The facts authentication needs, stored together so that one read by the key's hash returns them. */
export const CallerSchema = v.object({
  account: v.object({
    ...v.pick(AccountSchema, [
      "id",
      "plan",
      "created_at",
      "billed_from",
      "past_subscriptions",
      "scheduled_plan",
      "previous_plan",
      "has_trial",
      "suspension",
      "billing_stops",
      "limits",
    ]).entries,
    /** Absent while it is true. */
    store_thumbnails: v.exactOptional(v.boolean()),
  }),
  key: v.object({
    ...v.pick(ApiKeySchema, ["id", "label", "key_prefix", "scopes", "require_signature", "expires_at", "revoked_at"])
      .entries,
    monthly_limit: v.exactOptional(MonthlyLimitSchema),
    /** True where the first use of the text is reported to the owner of the account. */
    reports_first_use: v.exactOptional(v.literal(true)),
    /** When a text from before a rotation stops working; only in the caller of such a text. */
    text_ends_at: v.exactOptional(timestamp),
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

/** The secrets of a key, from which links are verified and webhooks signed. */
export const SigningSecretsSchema = v.pick(ApiKeySchema, ["signing_secret", "previous_signing_secrets"]);
export type SigningSecrets = v.InferOutput<typeof SigningSecretsSchema>;

/** The caller of a signed link, with the secrets that verify its signature. */
export const LinkCallerSchema = v.object({ caller: CallerSchema, secrets: SigningSecretsSchema });
export type LinkCaller = v.InferOutput<typeof LinkCallerSchema>;

/** An account with all its keys, oldest first, including revoked ones. */
export interface KeyRing {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

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
export function toCaller(account: Account, { monthly_limit, reports_first_use, ...facts }: ApiKey): Caller {
  const key = {
    ...facts,
    ...(monthly_limit && { monthly_limit }),
    ...(reports_first_use && { reports_first_use }),
  };
  return v.parse(CallerSchema, { account: callerAccount(account), key });
}

/** What a caller has of its account. Callers are in the items of keys and jobs, which leave out a setting that is on. */
function callerAccount({ store_thumbnails, ...account }: Account): Caller["account"] {
  return { ...account, ...(!store_thumbnails && { store_thumbnails }) };
}

/** Returns the caller of a text that a rotation of the key has replaced. */
export function toPreviousCaller(account: Account, key: ApiKey, { until, ...text }: PreviousText): Caller {
  const caller = toCaller(account, { ...key, ...text });
  return { ...caller, key: { ...caller.key, text_ends_at: until } };
}

/** Returns the previous texts of a key that still work at `now` (milliseconds since 1970), unless the key itself doesn't. */
export function validTexts({ previous_texts }: Pick<ApiKey, "previous_texts">, now: number): readonly PreviousText[] {
  return previous_texts.filter(({ until }) => Date.parse(until) > now);
}

/** Returns the facts of the caller of an account's sessions. */
export function toSessionCaller({ account, keys }: KeyRing): SessionCaller {
  const signing_key_id = keys.find(({ revoked_at }) => revoked_at === null)?.id ?? null;
  return v.parse(SessionCallerSchema, { account: callerAccount(account), signing_key_id });
}

/** Returns the caller of links that this key signs. */
export function toLinkCaller(account: Account, key: ApiKey): LinkCaller {
  return v.parse(LinkCallerSchema, { caller: toCaller(account, key), secrets: key });
}

/** Returns why a key is rejected at `now` (milliseconds since 1970), or undefined when it is valid. */
export function invalidKeyReason({ key }: Caller, now: number): "revoked" | "replaced" | "expired" | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.text_ends_at !== undefined && Date.parse(key.text_ends_at) <= now) return "replaced";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return undefined;
}
