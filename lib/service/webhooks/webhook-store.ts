// Stores webhooks in the items of their jobs, with optimistic locking on the webhook's version.
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { jobKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
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
  const command = new UpdateCommand({
    TableName: table,
    Key: jobKey(owner.account_id, owner.id),
    UpdateExpression: "SET #webhook = :webhook",
    ConditionExpression: "#webhook.#version = :version",
    ExpressionAttributeNames: { "#webhook": "webhook", "#version": "version" },
    ExpressionAttributeValues: { ":webhook": webhook, ":version": owner.webhook.version },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const failed = await cancellationReason(() => dynamodb().send(command));
  // The SDK may retry a write that already succeeded; finding our own webhook in the item means success.
  return !failed || isDeepStrictEqual(failed.item?.["webhook"], webhook);
}
