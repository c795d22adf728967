// Stores the state of any webhook in the item of what it reports, with optimistic locking on the webhook's version.
import { isDeepStrictEqual } from "node:util";
import { type ItemKey, updateItem } from "../aws/items.ts";
import type { DeliveryState } from "./webhook.ts";

/**
 * Replaces the attribute `webhook` of an item by a conditional write. Resolves to false when it has changed since it was read. `after` must
 * differ from what concurrent writers store.
 */
export async function replaceDeliveryState<W extends DeliveryState>(
  table: string,
  key: ItemKey,
  { before, after }: { readonly before: W; readonly after: W },
): Promise<boolean> {
  const { isChanged, item } = await updateItem(table, key, {
    update: "SET #webhook = :webhook",
    condition: "#webhook.#version = :version",
    values: { ":webhook": after, ":version": before.version },
  });
  // The SDK may retry a write that already succeeded; finding our own webhook in the item means success.
  return isChanged || isDeepStrictEqual(item?.["webhook"], after);
}
