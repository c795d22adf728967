// Pure operations on an account and its keys: each returns a new key ring (add, change, rotate, revoke, change plan).

import { ApiError } from "../../contract/errors/api-error.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { type ApiKey, type KeyRing, validSecrets, validTexts } from "../account/account.ts";
import { effectiveLimits } from "../account/limits.ts";
import type { KeySecrets } from "./issue-key.ts";
import { ITEMS_PER_KEY, MAX_KEY_ITEMS } from "./key-count.ts";

/** Returns the key with this id. Throws `NOT_FOUND`. */
export function findKey({ keys }: KeyRing, id: number): ApiKey {
  const key = keys.find((each) => each.id === id);
  if (!key)
    throw new ApiError("NOT_FOUND", "The account has no API key of this id. List its keys with GET /api/v1/keys.");
  return key;
}

/** Returns the key that was added last. */
export function lastKey({ keys }: KeyRing): ApiKey {
  const key = keys.at(-1);
  if (!key) throw new Error("The account has no API keys.");
  return key;
}

/**
 * Appends a key with an id greater than all others, so that ids of one millisecond stay unique and ordered. Throws
 * `CONFLICT` when the account has as many active keys as it may have when the key is created: `MAX_KEYS`, fewer with previous texts that
 * work, or what the operator has set.
 */
export function withKey(ring: KeyRing, key: ApiKey): KeyRing {
  const now = Date.parse(key.created_at);
  const { active, previous } = countTexts(ring, now);
  const { value: allowed, is_override } = effectiveLimits(ring.account, now).api_keys;
  if (is_override && active >= allowed) {
    const advice = allowed === 0 ? "" : ` Revoke ${active - allowed + 1} of them first.`;
    const message = `The account has ${active} API keys, and the operator of the service allows it ${allowed}.${advice}`;
    throw new ApiError("CONFLICT", message);
  }
  if (ITEMS_PER_KEY * (active + 1) + previous > MAX_KEY_ITEMS) {
    const texts = previous === 0 ? "" : ` and ${previous} previous texts of rotated keys`;
    const advice = previous === 0 ? "Revoke one of them first" : "Revoke a key or end the previous texts of one first";
    throw new ApiError("CONFLICT", `The account has ${active} API keys${texts}, as many as it may have. ${advice}.`);
  }
  const id = Math.max(key.id, ...ring.keys.map((older) => older.id + 1));
  return { ...ring, keys: [...ring.keys, { ...key, id }] };
}

/** The number of active keys, and of their previous texts that work at `now` (milliseconds since 1970). */
function countTexts({ keys }: KeyRing, now: number): { readonly active: number; readonly previous: number } {
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  return { active: active.length, previous: active.flatMap((key) => validTexts(key, now)).length };
}

/** Returns the keys whose ids `before` does not have. */
export function newKeys({ keys }: KeyRing, before: KeyRing): readonly ApiKey[] {
  return keys.filter(({ id }) => !before.keys.some((known) => known.id === id));
}

/** Replaces ids of added keys that are in `taken` by the next free ones. Returns `ring` itself when none is taken. */
export function withFreeIds(ring: KeyRing, before: KeyRing, taken: ReadonlySet<number>): KeyRing {
  const wanting = newKeys(ring, before).filter(({ id }) => taken.has(id));
  if (wanting.length === 0) return ring;
  const free = (id: number): number => (taken.has(id) ? free(id + 1) : id);
  return { ...ring, keys: ring.keys.map((key) => (wanting.includes(key) ? { ...key, id: free(key.id) } : key)) };
}

type Restrictions = Pick<ApiKey, "expires_at" | "require_signature" | "monthly_limit">;

/**
 * True when a change lets a key be used longer, more, or in more places: with a later expiry or a higher limit or none, or as a
 * query parameter. The caller who makes it grants all scopes that the key has; a further scope is granted by itself.
 */
export function widensUse(key: Restrictions, changes: Partial<Restrictions>): boolean {
  const { expires_at, require_signature, monthly_limit } = { ...key, ...changes };
  const toTime = (timestamp: string | null) => (timestamp === null ? Number.POSITIVE_INFINITY : Date.parse(timestamp));
  const toCount = (limit: ApiKey["monthly_limit"]) => limit?.captures ?? Number.POSITIVE_INFINITY;
  return (
    toTime(expires_at) > toTime(key.expires_at) ||
    toCount(monthly_limit) > toCount(key.monthly_limit) ||
    (key.require_signature && !require_signature)
  );
}

/** Changes an active key. Throws `NOT_FOUND`, or `CONFLICT` when the key is revoked. */
export function withChangedKey(
  ring: KeyRing,
  id: number,
  changes: Partial<Omit<ApiKey, "id" | "account_id" | "created_at">>,
): KeyRing {
  const key = findKey(ring, id);
  if (key.revoked_at !== null) {
    throw new ApiError(
      "CONFLICT",
      `This API key was revoked at ${key.revoked_at} and cannot be changed. Create another one.`,
    );
  }
  return { ...ring, keys: ring.keys.map((each) => (each === key ? { ...key, ...changes } : each)) };
}

/** How long the previous signing secret signs webhooks after a rotation, at least. */
const SECRETS_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** How long a rotation can let the previous signing secret sign links without an overlap. */
export const MAX_LINK_GRACE_SECONDS = SECRETS_OVERLAP_MS / 1000;

/** How long a rotation can let the previous text of the key work: 7 days. */
export const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

/** Maximum number of previous secrets: each adds a signature to every webhook. No more texts than secrets are valid. */
export const MAX_PREVIOUS_SECRETS = 10;

export interface Rotation {
  readonly secrets: KeySecrets;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long the previous text works, and its signing secret signs links. @default 0 */
  readonly overlapSeconds?: number;
  /** How long the previous signing secret signs links, if longer than the overlap. @default 0 */
  readonly linkGraceSeconds?: number;
}

/**
 * Rotates a key. The old text ends after the overlap, and earlier texts no later. The old signing secret signs webhooks for a day or
 * for the overlap if that is longer, regardless of later rotations; it signs links for the overlap or for `linkGraceSeconds`, and no
 * earlier secret for longer. Throws `NOT_FOUND` or `CONFLICT`.
 */
export function withRotatedKey(
  ring: KeyRing,
  id: number,
  { secrets, now, overlapSeconds = 0, linkGraceSeconds = 0 }: Rotation,
): KeyRing {
  const key = findKey(ring, id);
  const validBefore = validSecrets(key.previous_signing_secrets, now);
  if (validBefore.length >= MAX_PREVIOUS_SECRETS) {
    throw new ApiError(
      "CONFLICT",
      `This API key has ${MAX_PREVIOUS_SECRETS} previous signing secrets that still sign webhooks, as many as it may have. ` +
        "Each does so for 24 hours, or for the overlap of its rotation. Revoke the key and create another one, or rotate it later.",
    );
  }
  const after = (ms: number) => new Date(now + ms).toISOString();
  const textsUntil = after(overlapSeconds * 1000);
  const { key_prefix, hash, reports_first_use } = key;
  const texts = [{ key_prefix, hash, reports_first_use, until: textsUntil }, ...validTexts(key, now)];
  const until = after(Math.max(SECRETS_OVERLAP_MS, overlapSeconds * 1000));
  const linksUntil = after(Math.max(linkGraceSeconds, overlapSeconds) * 1000);
  const previousSecrets = [{ secret: key.signing_secret, until, links_until: linksUntil }, ...validBefore];
  const rotated = withChangedKey(ring, id, {
    ...secrets,
    previous_texts: texts.map((text) => ({ ...text, until: earlier(text.until, textsUntil) })),
    previous_signing_secrets: previousSecrets.map(({ links_until = "", ...each }) => {
      const end = earlier(links_until, linksUntil);
      return Date.parse(end) > now ? { ...each, links_until: end } : each;
    }),
  });
  const { active, previous } = countTexts(rotated, now);
  if (ITEMS_PER_KEY * active + previous > MAX_KEY_ITEMS) {
    throw new ApiError(
      "CONFLICT",
      `The account has ${active} API keys, which leaves no room for another previous text. Rotate the key without \`overlap\`, or ` +
        "revoke a key first.",
    );
  }
  return rotated;
}

/**
 * Ends the previous texts of a key at `now` (milliseconds since 1970), and the links of its previous signing secrets, which programs
 * with these texts have. Webhooks stay signed with them. Returns `ring` itself when there is nothing to end. Throws `NOT_FOUND`.
 */
export function withEndedTexts(ring: KeyRing, id: number, now: number): KeyRing {
  const key = findKey(ring, id);
  const signsLinks = key.previous_signing_secrets.some(({ links_until }) => links_until !== undefined);
  if (key.revoked_at !== null || (validTexts(key, now).length === 0 && !signsLinks)) return ring;
  const end = new Date(now).toISOString();
  return withChangedKey(ring, id, {
    previous_texts: key.previous_texts.map((text) => ({ ...text, until: earlier(text.until, end) })),
    previous_signing_secrets: key.previous_signing_secrets.map(({ links_until: _, ...each }) => each),
  });
}

/** The earlier of two timestamps in UTC. */
function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** Revokes a key at `now` (timestamp). Returns `ring` itself when the key is already revoked. Throws `NOT_FOUND`. */
export function withRevokedKey(ring: KeyRing, id: number, now: string): KeyRing {
  return findKey(ring, id).revoked_at === null ? withChangedKey(ring, id, { revoked_at: now }) : ring;
}

/**
 * Changes the plan at `now` (timestamp). A paid plan ends the trial, or the time after a plan, and starts the billing months; later
 * changes keep them. Fulfils or refuses what the owner requested, and replaces what was scheduled. Throws a RangeError for a change back
 * to the trial.
 */
export function withPlan({ account, keys }: KeyRing, plan: PlanName, now: string): KeyRing {
  const isTrial = plans[plan].trialDays !== undefined;
  const { scheduled_plan: _, previous_plan: __, ...kept } = account;
  if (isTrial && (account.billed_from !== null || account.past_subscriptions)) {
    throw new RangeError(`Account ${account.id} has had a paid plan; its trial cannot begin again.`);
  }
  const billed_from = isTrial ? null : (account.billed_from ?? now);
  return { account: { ...kept, plan, billed_from, requested_plan: null }, keys };
}
