// Stores webhooks in the items of their jobs, with optimistic locking on the webhook's version.
import { jobKey } from "../aws/table-keys.ts";
import { replaceDeliveryState } from "./delivery-state.ts";
import type { Webhook } from "./webhook.ts";

/** The job of a webhook, with the webhook as it was read. */
export interface WebhookOwner {
  readonly account_id: number;
  readonly id: number;
  readonly webhook: Webhook;
}

/** Replaces the webhook of a job, as `replaceDeliveryState` does. */
export function replaceWebhook(table: string, owner: WebhookOwner, webhook: Webhook): Promise<boolean> {
  return replaceDeliveryState(table, jobKey(owner.account_id, owner.id), { before: owner.webhook, after: webhook });
}
