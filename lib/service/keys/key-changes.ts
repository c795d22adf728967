// Changes of an API key as its options ask for them: the monthly limit knows what the key has captured before it had one.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { Account, ApiKey, KeyRing, MonthlyLimit } from "../account/account.ts";
import { periodAt } from "../billing/billing-period.ts";
import { readKeyCounts } from "../billing/period-store.ts";
import { readKeyCounter } from "../billing/quota-store.ts";
import { isTestPrefix } from "./api-key.ts";
import type { KeyChanges } from "./key-options.ts";
import { findKey, withChangedKey } from "./key-ring.ts";
import { limitProblem } from "./monthly-limit.ts";

/** What a key captured in the billing period that its counter lacks, to be read before the key gets a limit. */
export type EarlierUse = MonthlyLimit["earlier"];

/**
 * Reads what a key has captured in the billing period at `now` (milliseconds since 1970) without a limit. Its counter has what it
 * captured with a limit that was removed since.
 */
export async function readEarlierUse(
  table: string,
  { account, keyId }: { readonly account: Pick<Account, "id" | "created_at" | "billed_from">; readonly keyId: number },
  now: number,
): Promise<EarlierUse> {
  const { start } = periodAt(account, now);
  const counted = await readKeyCounter(table, { accountId: account.id, keyId, start });
  const captures = (await readKeyCounts(table, account.id, { start })).get(keyId) ?? 0;
  return { start, captures: Math.max(0, captures - counted) };
}

/** Returns the limit of a key that has made no captures at `now` (milliseconds since 1970). */
export function newLimit(
  captures: number,
  account: Pick<Account, "created_at" | "billed_from">,
  now: number,
): MonthlyLimit {
  return { captures, earlier: { start: periodAt(account, now).start, captures: 0 } };
}

/** The changes of a key as they are stored. `earlier` is needed for a limit. */
export function toStoredChanges(
  { monthly_limit: captures, ...changes }: KeyChanges,
  key: Pick<ApiKey, "monthly_limit">,
  earlier: EarlierUse | undefined,
): Partial<Pick<ApiKey, "label" | "scopes" | "require_signature" | "expires_at" | "monthly_limit">> {
  if (captures === undefined) return changes;
  if (captures === null) return { ...changes, monthly_limit: null };
  // A key that has a limit counts on, so that a change gives back nothing.
  const kept = key.monthly_limit?.earlier ?? earlier;
  if (!kept) throw new TypeError("The use of the key before its limit was not read.");
  return { ...changes, monthly_limit: { captures, earlier: kept } };
}

/** Changes a key by its options. Throws `NOT_FOUND`, `CONFLICT`, or `VALIDATION_ERROR` for a limit that the key can't have. */
export function withKeyChanges(
  ring: KeyRing,
  id: number,
  { changes, earlier }: { readonly changes: KeyChanges; readonly earlier: EarlierUse | undefined },
): KeyRing {
  const key = findKey(ring, id);
  const stored = toStoredChanges(changes, key, earlier);
  const problem = limitProblem({ ...key, ...stored, isTest: isTestPrefix(key.key_prefix) });
  if (problem !== undefined) {
    throw new ApiError("VALIDATION_ERROR", `Option 'monthly_limit' ${problem}.`, {
      details: { monthly_limit: [problem] },
    });
  }
  return withChangedKey(ring, id, stored);
}
