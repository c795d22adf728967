// The account a first start opens, so that the first request needs nothing but a copy and paste.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { refusal } from "../accounts/account.ts";
import { findCaller } from "../accounts/account-store.ts";
import { hashApiKey } from "../accounts/api-key.ts";
import { openAccount } from "../accounts/open-account.ts";

const Demo = v.object({ account_id: v.number(), key: v.string() });

/**
 * The API key of the demo account. Only its hash is in the table, so the key itself is kept in a file of the data
 * folder that its owner alone can read; when file or table have gone or the key is refused, a new account is opened.
 */
export async function demoApiKey(dataDir: string, accountsTable: string): Promise<string> {
  const file = join(dataDir, "demo-account.json");
  const known = existsSync(file) ? v.safeParse(Demo, JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const now = Date.now();
  if (known?.success) {
    const caller = await findCaller(accountsTable, hashApiKey(known.output.key));
    if (caller && !refusal(caller, now)) return known.output.key;
  }
  const { ring, key } = await openAccount(accountsTable, { plan: "max", label: "Demo", now });
  writeFileSync(file, `${JSON.stringify({ account_id: ring.account.id, key })}\n`, { mode: 0o600 });
  return key;
}
