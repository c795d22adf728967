// Pure operations on an account and its keys: each returns a new key ring (add, change, rotate, revoke, change plan).

import { ApiError } from "../../contract/errors/api-error.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { type ApiKey, type KeyRing, validSecrets } from "../account/account.ts";
import type { KeySecrets } from "./issue-key.ts";

/**
 * Maximum number of active keys per account: a plan change rewrites two copies per key, the account itself and the caller of
 * its sessions in one transaction, which DynamoDB limits to 100 items.
 */
export const MAX_KEYS = 49;

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
 * `CONFLICT` when the account has `MAX_KEYS` active keys.
 */
export function withKey(ring: KeyRing, key: ApiKey): KeyRing {
  if (ring.keys.filter(({ revoked_at }) => revoked_at === null).length >= MAX_KEYS) {
    throw new ApiError(
      "CONFLICT",
      `The account has ${MAX_KEYS} API keys, as many as it may have. Revoke one of them first.`,
    );
  }
  const id = Math.max(key.id, ...ring.keys.map((older) => older.id + 1));
  return { ...ring, keys: [...ring.keys, { ...key, id }] };
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

/**
 * True when a change lets a key be used longer, or in more places: with a later expiry or none, or as a query parameter. Whoever
 * makes it grants all scopes that the key has; a further scope is granted by itself.
 */
export function widensUse(
  key: Pick<ApiKey, "expires_at" | "require_signature">,
  changes: Partial<Pick<ApiKey, "expires_at" | "require_signature">>,
): boolean {
  const { expires_at, require_signature } = { ...key, ...changes };
  const toTime = (timestamp: string | null) => (timestamp === null ? Number.POSITIVE_INFINITY : Date.parse(timestamp));
  return toTime(expires_at) > toTime(key.expires_at) || (key.require_signature && !require_signature);
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

/** How long the previous signing secret stays valid after a rotation. */
const SECRETS_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** How long a rotation can let the previous signing secret sign links. */
export const MAX_LINK_GRACE_SECONDS = SECRETS_OVERLAP_MS / 1000;

/** Maximum number of previous secrets: each adds a signature to every webhook. */
export const MAX_PREVIOUS_SECRETS = 10;

/**
 * Rotates a key at `now` (milliseconds since 1970). The old key is rejected at once. The old signing secret signs webhooks for a
 * day, regardless of later rotations, and links for `linkGraceSeconds`, at most a day; no earlier secret signs links for longer.
 * Throws `NOT_FOUND` or `CONFLICT`.
 */
export function withRotatedKey(
  ring: KeyRing,
  id: number,
  { secrets, now, linkGraceSeconds = 0 }: { secrets: KeySecrets; now: number; linkGraceSeconds?: number },
): KeyRing {
  const { signing_secret: secret, previous_signing_secrets } = findKey(ring, id);
  const stillValid = validSecrets(previous_signing_secrets, now);
  if (stillValid.length >= MAX_PREVIOUS_SECRETS) {
    throw new ApiError(
      "CONFLICT",
      `This API key was rotated ${MAX_PREVIOUS_SECRETS} times within 24 hours, as often as it may be. ` +
        "Revoke it and create another one, or rotate it later.",
    );
  }
  const until = new Date(now + SECRETS_OVERLAP_MS).toISOString();
  const linksUntil = new Date(now + linkGraceSeconds * 1000).toISOString();
  const previous = [{ secret, until, links_until: linksUntil }, ...stillValid].map(({ links_until = "", ...each }) => {
    const earlier = links_until < linksUntil ? links_until : linksUntil;
    return Date.parse(earlier) > now ? { ...each, links_until: earlier } : each;
  });
  return withChangedKey(ring, id, { ...secrets, previous_signing_secrets: previous });
}

/** Revokes a key at `now` (timestamp). Returns `ring` itself when the key is already revoked. Throws `NOT_FOUND`. */
export function withRevokedKey(ring: KeyRing, id: number, now: string): KeyRing {
  return findKey(ring, id).revoked_at === null ? withChangedKey(ring, id, { revoked_at: now }) : ring;
}

/**
 * Changes the plan at `now` (timestamp). The first paid plan ends the trial and starts the billing months; later
 * changes keep them. Fulfils or refuses what the owner requested. Throws a RangeError for a change back to the trial.
 */
export function withPlan({ account, keys }: KeyRing, plan: PlanName, now: string): KeyRing {
  const isTrial = plans[plan].trialDays !== undefined;
  if (isTrial && account.billed_from !== null) {
    throw new RangeError(`Account ${account.id} has had a paid plan; its trial cannot begin again.`);
  }
  const billed_from = isTrial ? null : (account.billed_from ?? now);
  return { account: { ...account, plan, billed_from, requested_plan: null }, keys };
}
