// The demo account that the first `npm start` opens, for requests by copy and paste.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { invalidKeyReason } from "../../../service/account/account.ts";
import { findCaller, readKeySecrets } from "../../../service/account/account-store.ts";
import { openAccount } from "../../../service/account/open-account.ts";
import { hashApiKey } from "../../../service/keys/api-key.ts";

const Demo = v.object({ account_id: v.number(), key: v.string() });

export interface DemoAccount {
  readonly accountId: number;
  readonly key: string;
  readonly keyId: number;
  /** Signs the webhooks and links of the key. */
  readonly signingSecret: string;
}

/**
 * The demo account with its API key. The table holds a hash of the key only, so the key itself is stored in a file of the
 * data folder with mode 0600. A new account is opened when the file or the table is missing, or the key is invalid.
 */
export async function demoAccount(dataDir: string, accountsTable: string): Promise<DemoAccount> {
  const file = join(dataDir, "demo-account.json");
  const stored = existsSync(file) ? v.safeParse(Demo, JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const now = Date.now();
  if (stored?.success) {
    const { key } = stored.output;
    const caller = await findCaller(accountsTable, hashApiKey(key));
    const ids = caller && { account_id: caller.account.id, id: caller.key.id };
    const secrets = ids && (await readKeySecrets(accountsTable, ids));
    if (secrets && !invalidKeyReason(caller, now))
      return { accountId: ids.account_id, key, keyId: ids.id, signingSecret: secrets.signing_secret };
  }
  const { ring, apiKey, key } = await openAccount(accountsTable, { plan: "max", label: "Demo", now });
  writeFileSync(file, `${JSON.stringify({ account_id: ring.account.id, key })}\n`, { mode: 0o600 });
  return { accountId: ring.account.id, key, keyId: apiKey.id, signingSecret: apiKey.signing_secret };
}
