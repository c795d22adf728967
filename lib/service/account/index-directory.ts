// Puts accounts into the directory that were opened before there was one. It scans the table, which no role of a function may.
import { getItem, putItem, writeCondition } from "../aws/items.ts";
import { accountKey, directoryIndexedKey } from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import type { KeyRing } from "./account.ts";
import { listAccounts, readKeyRing } from "./account-store.ts";
import { directoryItems } from "./directory.ts";

/** Items of a transaction, of which DynamoDB allows 100. */
const ITEMS_AT_ONCE = 50;

/** Accounts that are indexed side by side. */
const ACCOUNTS_AT_ONCE = 20;

/** Writes the directory's items of all accounts at `now` (milliseconds since 1970). It can be repeated. Resolves to the number of accounts. */
export async function indexDirectory(table: string, now: number): Promise<number> {
  const accounts = await listAccounts(table);
  const waiting = accounts.values();
  const indexNext = async () => {
    for (const { id } of waiting) await indexAccount(table, id);
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, indexNext));
  await putItem(table, { ...directoryIndexedKey, indexed_at: now });
  return accounts.length;
}

/** Writes the items of an account as it is, and again if it has changed meanwhile. Does nothing for one that was deleted meanwhile. */
async function indexAccount(table: string, accountId: number): Promise<void> {
  for (;;) {
    const ring = await readKeyRing(table, accountId).catch(async (error) => {
      if (await getItem(table, accountKey(accountId))) throw error;
    });
    if (!ring || (await writeItems(table, ring))) return;
  }
}

/** Resolves to false when the account has changed, whose own transaction writes what that has changed. */
async function writeItems(table: string, ring: KeyRing): Promise<boolean> {
  const { id, version } = ring.account;
  const isUnchanged: Write = {
    ConditionCheck: {
      TableName: table,
      Key: accountKey(id),
      ...writeCondition("#version = :version", { ":version": version }),
    },
  };
  const items = directoryItems(ring);
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    const puts = items.slice(start, start + ITEMS_AT_ONCE).map((Item) => ({ Put: { TableName: table, Item } }));
    try {
      await transact([isUnchanged, ...puts]);
    } catch (error) {
      if (!failedCondition(error)) throw error;
      return false;
    }
  }
  return true;
}
