// The account of the service itself, with which it watches its own API: no operator's list, bill, invoice, or statistic has it. There is
// no item of the account, only callers with keys that last for minutes, each made by the function that uses it.
import { randomBytes } from "node:crypto";
import { putItem } from "../aws/items.ts";
import { callerKey } from "../aws/table-keys.ts";
import { createApiKey, displayPrefix, hashApiKey, isInternalHash, KEY_ENTROPY_BYTES } from "../keys/api-key.ts";
import type { Caller } from "./account.ts";

/** No other account has it: ids are times since 2025. */
export const INTERNAL_ACCOUNT_ID = 0;

/** Longer than a capture and its repetitions take. */
const KEY_LIFETIME_MS = 10 * 60_000;
const ACCOUNT = {
  id: INTERNAL_ACCOUNT_ID,
  plan: "max",
  created_at: "2026-01-01T00:00:00.000Z",
  billed_from: "2026-01-01T00:00:00.000Z",
  store_thumbnails: false,
} as const;

/** The caller of an internal key. */
export function internalCaller(key: string, now: number): Caller {
  return {
    account: ACCOUNT,
    key: {
      id: 0,
      label: "Service",
      key_prefix: displayPrefix(key),
      scopes: ["capture"],
      require_signature: false,
      expires_at: new Date(now + KEY_LIFETIME_MS).toISOString(),
      revoked_at: null,
    },
  };
}

/** Creates a key of the internal account, and stores its caller. Nothing but the caller of this function has the key. */
export async function createInternalKey(table: string): Promise<string> {
  const now = Date.now();
  const key = createApiKey(randomBytes(KEY_ENTROPY_BYTES), "internal");
  const ttl = Math.ceil((now + KEY_LIFETIME_MS) / 1000);
  const item = { ...callerKey(hashApiKey(key)), ...internalCaller(key, now), ttl };
  await putItem(table, item);
  return key;
}

/** False where the item of an internal key names another account: functions that can write such items gain nothing of other accounts. */
export function hasRightAccount(hash: string, { account }: Pick<Caller, "account">): boolean {
  return !isInternalHash(hash) || isInternal(account);
}

/** True for the account of the service itself. */
export function isInternal({ id }: Pick<Caller["account"], "id">): boolean {
  return id === INTERNAL_ACCOUNT_ID;
}
