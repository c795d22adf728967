// Stores webhooks in the items of their jobs, with optimistic locking on the webhook's version.
import { isDeepStrictEqual } from "node:util";
import { updateItem } from "../aws/items.ts";
import { jobKey } from "../aws/table-keys.ts";
import type { Webhook } from "./webhook.ts";

/** The job of a webhook, with the webhook as it was read. */
export interface WebhookOwner {
  readonly account_id: number;
  readonly id: number;
  readonly webhook: Webhook;
}

/**
 * Replaces the webhook by a conditional write. Resolves to false when it has changed since it was read. `webhook` must
 * differ from what concurrent writers store.
 */
export async function replaceWebhook(table: string, owner: WebhookOwner, webhook: Webhook): Promise<boolean> {
  const { isChanged, item } = await updateItem(table, jobKey(owner.account_id, owner.id), {
    update: "SET #webhook = :webhook",
    condition: "#webhook.#version = :version",
    values: { ":webhook": webhook, ":version": owner.webhook.version },
  });
  // The SDK may retry a write that already succeeded; finding our own webhook in the item means success.
  return isChanged || isDeepStrictEqual(item?.["webhook"], webhook);
}
