// Reference counting of cached results: a stored result that several jobs share is deleted with its last reference.
//
// The item lists the references to the result. A reference is added before it is used and removed before anything is
// deleted, so that an interruption can only leave a result until it expires, and never a reference without its result.
import * as v from "valibot";
import { type ItemChange, updateItem } from "../aws/items.ts";
import { resultReferencesKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";

/** A result of an account, by the key of its object. */
export interface ReferencedResult {
  readonly accountId: number;
  readonly key: string;
}

/** What refers to a result: the job with an id, or a link in a response, which cannot be revoked. */
export type Referrer = number | "link";

const ReferencesSchema = v.object({
  /** DynamoDB has no empty sets: absent when the result has no references. */
  referrers: v.optional(v.set(v.string())),
  /** The object with the result's packed metadata, when it is large. */
  cached_facts: v.optional(v.string()),
  is_deleted: v.optional(v.boolean(), false),
});

/**
 * Returns the transaction item that starts reference counting for a new result, until `expiresAt` (milliseconds since
 * 1970).
 */
export function referenceWrites(
  table: string,
  result: ReferencedResult,
  { referrer, cachedFacts, expiresAt }: { referrer: Referrer; cachedFacts: string | undefined; expiresAt: number },
): Write {
  const references = { referrers: new Set([String(referrer)]), cached_facts: cachedFacts };
  const ttl = Math.ceil(expiresAt / 1000);
  return { Put: { TableName: table, Item: { ...referencesKey(result), ...references, ttl } } };
}

/** Adds a reference to a result. Resolves to false when the result is deleted or about to be. */
export async function addReference(table: string, result: ReferencedResult, referrer: Referrer): Promise<boolean> {
  const { isChanged } = await updateItem(table, referencesKey(result), {
    update: "ADD referrers :referrer",
    condition: "attribute_exists(pk) AND attribute_not_exists(is_deleted)",
    values: { ":referrer": new Set([String(referrer)]) },
  });
  return isChanged;
}

/**
 * Removes a reference. After the last one no other can be added, and it resolves to what must be deleted, also when it
 * is called again. Otherwise, and for results without reference counting, it resolves to undefined: the result stays
 * until it expires.
 */
export async function removeReference(
  table: string,
  result: ReferencedResult,
  referrer: Referrer,
): Promise<{ readonly cachedFacts: string | undefined } | undefined> {
  const remaining = await update(table, result, {
    update: "DELETE referrers :referrer",
    condition: "attribute_exists(pk)",
    values: { ":referrer": new Set([String(referrer)]) },
  });
  if (!remaining || remaining.referrers) return undefined;
  const last = await update(table, result, {
    update: "SET is_deleted = :deleted",
    condition: "attribute_exists(pk) AND attribute_not_exists(referrers)",
    values: { ":deleted": true },
  });
  return last && { cachedFacts: last.cached_facts };
}

/** Resolves to the updated item, or undefined when the condition fails. */
async function update(table: string, result: ReferencedResult, change: ItemChange) {
  const { isChanged, item } = await updateItem(table, referencesKey(result), change);
  return isChanged ? v.parse(ReferencesSchema, item) : undefined;
}

function referencesKey({ accountId, key }: ReferencedResult) {
  return resultReferencesKey(accountId, key);
}
