// The directory: items by which operators list and find accounts without a scan. A row has the facts of an account that a list shows;
// others lead from an address, and from the prefix of an API key, to the account. They are written in the transactions of the account.
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { getItem, getItems, queryFirst } from "../aws/items.ts";
import {
  directoryAddressKey,
  directoryIndexedKey,
  directoryKey,
  directoryPrefixKey,
  directoryRowKey,
} from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { displayPrefix } from "../keys/api-key.ts";
import { parseId } from "../platform/ids.ts";
import { type Account, AccountSchema, type ApiKey, type KeyRing } from "./account.ts";
import { applyScheduledPlan } from "./scheduled-plan.ts";

/** The facts of an account in a list. */
const RowSchema = v.pick(AccountSchema, [
  "id",
  "plan",
  "label",
  "created_at",
  "billed_from",
  "past_subscriptions",
  "scheduled_plan",
  "previous_plan",
  "unpaid_invoices",
  "has_trial",
  "email",
  "requested_plan",
  "suspension",
  "billing_stops",
  "limits",
]);
export type DirectoryRow = v.InferOutput<typeof RowSchema>;

/** The row with the plan that the account has now. */
function toRow(item: unknown): DirectoryRow {
  return applyScheduledPlan(v.parse(RowSchema, item), Date.now());
}

type ItemKey = Readonly<Record<"pk" | "sk", string>>;

/** Returns the items of an account. */
export function directoryItems({ account, keys }: KeyRing): (ItemKey & Readonly<Record<string, unknown>>)[] {
  const { id: account_id, email } = account;
  return [
    { ...directoryRowKey(account_id), ...v.parse(RowSchema, account) },
    ...(email === null ? [] : [{ ...addressKey(email, account_id), account_id }]),
    ...keys.flatMap((key) => prefixKeys(key).map((each) => ({ ...each, account_id }))),
  ];
}

/** Returns the keys of all items of an account. */
export function directoryKeys(account: Pick<Account, "id" | "email">, keys: readonly ApiKey[]): ItemKey[] {
  const { id, email } = account;
  return [directoryRowKey(id), ...(email === null ? [] : [addressKey(email, id)]), ...keys.flatMap(prefixKeys)];
}

function addressKey(email: string, accountId: number): ItemKey {
  return directoryAddressKey(email.toLowerCase(), accountId);
}

/** Of each text of a key: that of a rotated one may be the one that was found somewhere. */
function prefixKeys({ id, key_prefix, previous_texts }: ApiKey): ItemKey[] {
  const prefixes = new Set([key_prefix, ...previous_texts.map((text) => text.key_prefix)]);
  return [...prefixes].map((prefix) => directoryPrefixKey(prefix, id));
}

/** Returns the transaction items that turn the directory's items of `before` into those of `after`. None has a condition. */
export function directoryWrites(table: string, before: KeyRing | undefined, after: KeyRing): Write[] {
  const itemsBefore = before ? directoryItems(before) : [];
  const itemsAfter = directoryItems(after);
  const byKey = (items: readonly ItemKey[]) => new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const [known, wanted] = [byKey(itemsBefore), byKey(itemsAfter)];
  return [
    ...[...wanted]
      .filter(([key, item]) => !isDeepStrictEqual(known.get(key), item))
      .map(([, Item]) => ({ Put: { TableName: table, Item } })),
    ...[...known]
      .filter(([key]) => !wanted.has(key))
      .map(([, { pk, sk }]) => ({ Delete: { TableName: table, Key: { pk, sk } } })),
  ];
}

/** A part of a list, and the position after which it goes on; undefined at its end. */
export interface DirectoryPage {
  readonly rows: readonly DirectoryRow[];
  readonly next: string | undefined;
}

export interface DirectoryQuery {
  /** The id of an account, the start of an address, or the start of an API key, of which no more than its prefix counts. Empty for all accounts. */
  readonly search: string;
  /** Position after which the page begins. */
  readonly after: string | undefined;
  readonly pageSize: number;
}

/**
 * Lists accounts, newest first, or finds those that match. An account with several matching keys is once in a page, which can then be
 * shorter. Throws a RangeError for a position of another list.
 */
export async function queryDirectory(
  table: string,
  { search, after, pageSize }: DirectoryQuery,
): Promise<DirectoryPage> {
  if (search === "") return listNewestFirst(table, after, pageSize);
  if (/^\d+$/.test(search)) return { rows: await findRows(table, [parseId(search)]), next: undefined };
  const [list, prefix] = search.startsWith("cap_")
    ? (["KEYS", displayPrefix(search)] as const)
    : (["ADDRESSES", search.toLowerCase()] as const);
  if (after !== undefined && !after.startsWith(prefix)) throw new RangeError("The position is that of another list.");
  const first = after === undefined ? prefix : `${after} `; // a space sorts before all that can follow
  const range = { first, last: `${prefix}${AFTER_ALL_TEXTS}` };
  const partition = directoryKey(list, "").pk;
  const items = await queryFirst(table, { partition, range }, { limit: pageSize + 1 });
  const shown = items.slice(0, pageSize).map((item) => v.parse(FoundSchema, item));
  const rows = await findRows(table, new Set(shown.map(({ account_id }) => account_id)));
  return { rows, next: items.length > pageSize ? shown.at(-1)?.sk : undefined };
}

const FoundSchema = v.object({ sk: v.string(), account_id: v.number() });

/** Sorts after every text with the same start. */
const AFTER_ALL_TEXTS = "\u{10FFFF}";

async function listNewestFirst(table: string, after: string | undefined, pageSize: number): Promise<DirectoryPage> {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : parseId(after);
  if (Number.isNaN(before)) throw new RangeError("The position is that of another list.");
  const [{ sk: first, pk: partition }, { sk: last }] = [directoryRowKey(0), directoryRowKey(before - 1)];
  const items = await queryFirst(
    table,
    { partition, range: { first, last } },
    { limit: pageSize + 1, isNewestFirst: true },
  );
  const rows = items.slice(0, pageSize).map(toRow);
  return { rows, next: items.length > pageSize ? String(rows.at(-1)?.id) : undefined };
}

/** Finds the rows of accounts, in the order of the ids; without those that have none. */
async function findRows(table: string, accountIds: Iterable<number>): Promise<DirectoryRow[]> {
  const ids = [...accountIds].filter(Number.isSafeInteger);
  const items = await getItems(table, ids.map(directoryRowKey));
  const rows = new Map(items.map((item) => [item["id"], toRow(item)]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Whether accounts from before there was a directory are in it: see `index-directory.ts`. */
export async function isDirectoryComplete(table: string): Promise<boolean> {
  return (await getItem(table, directoryIndexedKey)) !== undefined;
}
