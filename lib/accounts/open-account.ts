// New accounts and keys: what the operator's command and the first start create.
import { randomBytes } from "node:crypto";
import { createId } from "../contract/ids.ts";
import { type Account, type ApiKey, scopes } from "./account.ts";
import { putAccount, putApiKey } from "./account-store.ts";
import { createApiKey, hashApiKey, KEY_ENTROPY_BYTES, shownPrefix } from "./api-key.ts";

/** A key with what is shown only once. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** Opens an account with one key of every scope. */
export async function openAccount(
  table: string,
  { plan, label, now }: { plan: Account["plan"]; label: string; now: number },
): Promise<IssuedKey & { account: Account }> {
  const account: Account = { id: createId(now, Math.random()), plan, label, created_at: new Date(now).toISOString() };
  const issued = issueKey({ accountId: account.id, label, now });
  await putAccount(table, account, issued.apiKey, hashApiKey(issued.key));
  return { ...issued, account };
}

/** Adds a key to an account. */
export async function addApiKey(
  table: string,
  { accountId, label, now }: { accountId: number; label: string; now: number },
): Promise<IssuedKey> {
  const issued = issueKey({ accountId, label, now });
  await putApiKey(table, issued.apiKey, hashApiKey(issued.key));
  return issued;
}

function issueKey({ accountId, label, now }: { accountId: number; label: string; now: number }): IssuedKey {
  const key = createApiKey(randomBytes(KEY_ENTROPY_BYTES));
  const apiKey: ApiKey = {
    id: createId(now, Math.random()),
    account_id: accountId,
    label,
    key_prefix: shownPrefix(key),
    scopes: [...scopes],
    signing_secret: `whsec_${randomBytes(32).toString("base64")}`, // the form of https://www.standardwebhooks.com
    created_at: new Date(now).toISOString(),
    expires_at: null,
    revoked_at: null,
  };
  return { apiKey, key };
}
