// Records in the Usage table which secrets of API keys have reported their first use.
import { deleteItem, putItem } from "../aws/items.ts";
import { firstUseKey } from "../aws/table-keys.ts";

/** A secret of an API key, by its SHA-256. */
interface KeyText {
  readonly accountId: number;
  readonly hash: string;
}

/** Stores that the first use of a text is reported. Resolves to false if that is stored already. */
export async function markReported(table: string, { accountId, hash }: KeyText): Promise<boolean> {
  return (await putItem(table, firstUseKey(accountId, hash), "attribute_not_exists(pk)")).isChanged;
}

/** Takes back `markReported` after a mail that could not be sent. */
export async function unmarkReported(table: string, { accountId, hash }: KeyText): Promise<void> {
  await deleteItem(table, firstUseKey(accountId, hash));
}
