// The items of operators' sessions, links, and codes in the Accounts table, each found by its secret. They are put, never updated or
// deleted: the role of the operator's function may put accounts in this table, so what it could delete here it could delete there.
// A change is a put on condition that the item is as it was read, so that of several requests exactly one makes it.
import * as v from "valibot";
import { getItem, putItem } from "../aws/items.ts";
import type { TableItem } from "../aws/partition-pages.ts";
import { type OperatorItemKind, operatorKey } from "../aws/table-keys.ts";
import { hashSecret } from "../sessions/secret-token.ts";

/** What every item has. Times are in milliseconds since 1970. */
interface OperatorFacts {
  readonly expires_at: number;
}

const StoredSchema = v.looseObject({ expires_at: v.number(), revision: v.number(), ttl: v.number() });

/** An item as it was read; the number of its changes is the condition of the next one. */
export type StoredItem = TableItem & v.InferOutput<typeof StoredSchema>;

/** Stores a new item under the hash of its secret. DynamoDB deletes it some time after it has expired. */
export async function putOperatorItem(
  table: string,
  kind: OperatorItemKind,
  secret: string,
  facts: OperatorFacts,
): Promise<void> {
  const ttl = Math.ceil(facts.expires_at / 1000);
  await putItem(table, { ...operatorKey(kind, hashSecret(secret)), ...facts, revision: 0, ttl });
}

/** Finds the item of a secret at `now`; undefined when there is none, or it has expired. */
export async function findOperatorItem(
  table: string,
  kind: OperatorItemKind,
  secret: string,
  now: number,
): Promise<StoredItem | undefined> {
  // A strongly consistent read: after signing out, the token is refused immediately.
  const item = await getItem(table, operatorKey(kind, hashSecret(secret)));
  const stored = item && v.parse(StoredSchema, item);
  return stored && stored.expires_at > now ? stored : undefined;
}

/** Changes an item that was read. Resolves to false when it has changed since. */
export async function replaceOperatorItem(
  table: string,
  kind: OperatorItemKind,
  secret: string,
  { before, after }: { readonly before: StoredItem; readonly after: OperatorFacts },
): Promise<boolean> {
  const { revision, ttl } = before; // an ended item is deleted when it would have expired
  const item = { ...operatorKey(kind, hashSecret(secret)), ...after, revision: revision + 1, ttl };
  return (await putItem(table, item, "#revision = :revision", { ":revision": revision })).isChanged;
}

/** Has an item that was read end now. Resolves to false when it has changed since: of several requests, one ends it. */
export function endOperatorItem(
  table: string,
  kind: OperatorItemKind,
  secret: string,
  before: StoredItem,
): Promise<boolean> {
  return replaceOperatorItem(table, kind, secret, { before, after: { expires_at: 0 } });
}
