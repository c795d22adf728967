// The account a first start opens, so that the first request needs nothing but a copy and paste.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { invalidKeyReason } from "../accounts/account.ts";
import { findCaller, readKey } from "../accounts/account-store.ts";
import { hashApiKey } from "../accounts/api-key.ts";
import { openAccount } from "../accounts/open-account.ts";

const Demo = v.object({ account_id: v.number(), key: v.string() });

export interface DemoAccount {
  readonly key: string;
  readonly keyId: number;
  /** Signs the webhooks and links of the key. */
  readonly signingSecret: string;
}

/**
 * The demo account with its API key. Only a hash of the key is in the table, so the key itself is kept in a file of the
 * data folder that its owner alone can read; when file or table have gone or the key is refused, a new account is opened.
 */
export async function demoAccount(dataDir: string, accountsTable: string): Promise<DemoAccount> {
  const file = join(dataDir, "demo-account.json");
  const known = existsSync(file) ? v.safeParse(Demo, JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const now = Date.now();
  if (known?.success) {
    const { key } = known.output;
    const caller = await findCaller(accountsTable, hashApiKey(key));
    const apiKey = caller && (await readKey(accountsTable, { account_id: caller.account.id, id: caller.key.id }));
    if (apiKey && !invalidKeyReason(caller, now))
      return { key, keyId: apiKey.id, signingSecret: apiKey.signing_secret };
  }
  const { ring, apiKey, key } = await openAccount(accountsTable, { plan: "max", label: "Demo", now });
  writeFileSync(file, `${JSON.stringify({ account_id: ring.account.id, key })}\n`, { mode: 0o600 });
  return { key, keyId: apiKey.id, signingSecret: apiKey.signing_secret };
}
