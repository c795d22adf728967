// What can be done with an account and its keys: each change makes a new key ring of an old one.

import { type PlanName, plans } from "../billing/plans.ts";
import { ApiError } from "../errors/api-error.ts";
import { type ApiKey, type KeyRing, validSecrets } from "./account.ts";
import type { KeySecrets } from "./issue-key.ts";

/**
 * Keys of an account that are not revoked: the two copies that are kept of each, and the account itself, must fit into
 * the 100 writes of one transaction.
 */
export const MAX_KEYS = 49;

/** The key of this id. Throws `NOT_FOUND`. */
export function findKey({ keys }: KeyRing, id: number): ApiKey {
  const key = keys.find((each) => each.id === id);
  if (!key)
    throw new ApiError("NOT_FOUND", "The account has no API key of this id. List its keys with GET /api/v1/keys.");
  return key;
}

/** The key that was added last. */
export function lastKey({ keys }: KeyRing): ApiKey {
  const key = keys.at(-1);
  if (!key) throw new Error("The account has no API keys.");
  return key;
}

/**
 * Adds a key as the last one, with an id beyond those of all others, even of one made in the same moment. Throws `CONFLICT` when there are as many keys as
 * there may be.
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

/** The keys that were added to what was before, by their ids. */
export function newKeys({ keys }: KeyRing, before: KeyRing): readonly ApiKey[] {
  return keys.filter(({ id }) => !before.keys.some((known) => known.id === id));
}

/** Gives keys that were added an id that is not taken, the next one. Without need nothing changes. */
export function withFreeIds(ring: KeyRing, before: KeyRing, taken: ReadonlySet<number>): KeyRing {
  const wanting = newKeys(ring, before).filter(({ id }) => taken.has(id));
  if (wanting.length === 0) return ring;
  const free = (id: number): number => (taken.has(id) ? free(id + 1) : id);
  return { ...ring, keys: ring.keys.map((key) => (wanting.includes(key) ? { ...key, id: free(key.id) } : key)) };
}

/** Changes a key that is not revoked. Throws `NOT_FOUND` or `CONFLICT`. */
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

/** For how long after a rotation the old signing secret signs, too. */
const SECRETS_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Previous secrets that may sign at the same time: each is another signature of every webhook. */
export const MAX_PREVIOUS_SECRETS = 10;

/**
 * Gives a key other secrets at `now`, in milliseconds since 1970. Its old text is nothing any more; its old signing
 * secret goes on beside the new one for a day, whatever comes after it. Throws `NOT_FOUND` or `CONFLICT`.
 */
export function withRotatedKey(
  ring: KeyRing,
  id: number,
  { secrets, now }: { secrets: KeySecrets; now: number },
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
  return withChangedKey(ring, id, { ...secrets, previous_signing_secrets: [{ secret, until }, ...stillValid] });
}

/** Revokes a key at `now`, a timestamp; one that is revoked already stays as it is. Throws `NOT_FOUND`. */
export function withRevokedKey(ring: KeyRing, id: number, now: string): KeyRing {
  return findKey(ring, id).revoked_at === null ? withChangedKey(ring, id, { revoked_at: now }) : ring;
}

/**
 * Changes the plan from `now` on, a timestamp. The first paid plan ends the trial and begins the billing months; later
 * changes leave the months as they are. Throws a RangeError for a way back into the trial.
 */
export function withPlan({ account, keys }: KeyRing, plan: PlanName, now: string): KeyRing {
  const isTrial = plans[plan].trialDays !== undefined;
  if (isTrial && account.billed_from !== null) {
    throw new RangeError(`Account ${account.id} has had a paid plan; its trial cannot begin again.`);
  }
  return { account: { ...account, plan, billed_from: isTrial ? null : (account.billed_from ?? now) }, keys };
}
