// Stores exports in the Activity table, and finds them.
import * as v from "valibot";
import { getItem, putItem, queryItems } from "../aws/items.ts";
import { exportKey, exportsPartition } from "../aws/table-keys.ts";
import { type DataExport, DataExportSchema, exportExpiry } from "./data-export.ts";

/** Stores a new export. */
export async function putExport(table: string, data: DataExport): Promise<void> {
  const ttl = Math.ceil(exportExpiry(data) / 1000);
  const item = { ...exportKey(data.account_id, data.id), ...data, ttl };
  await putItem(table, item);
}

/** Finds an export of an account at `now` (milliseconds since 1970); undefined without one, or once it has expired. */
export async function findExport(
  table: string,
  { accountId, id }: { readonly accountId: number; readonly id: number },
  now: number,
): Promise<DataExport | undefined> {
  const item = await getItem(table, exportKey(accountId, id));
  const data = item && v.parse(DataExportSchema, item);
  return data && exportExpiry(data) > now ? data : undefined;
}

/** Lists the exports of an account at `now` (milliseconds since 1970), newest first. */
export async function listExports(table: string, accountId: number, now: number): Promise<DataExport[]> {
  const items = await queryItems(table, exportsPartition(accountId));
  const all = items.map((item) => v.parse(DataExportSchema, item));
  return all.filter((data) => exportExpiry(data) > now).toReversed();
}
