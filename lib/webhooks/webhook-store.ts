// Webhooks in the items of their jobs.
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { jobKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import type { Webhook } from "./webhook.ts";

/** The job that a webhook belongs to, with the webhook as it was read. */
export interface WebhookOwner {
  readonly account_id: number;
  readonly id: number;
  readonly webhook: Webhook;
}

/**
 * Stores what became of the webhook, which must be unlike what others make of the same one. Resolves to false when it is no
 * longer what was read.
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
  const refused = await cancellationReason(() => dynamodb().send(command));
  // When the answer to the write is lost, the client sends it again, and it is refused because of itself.
  return !refused || isDeepStrictEqual(refused.item?.["webhook"], webhook);
}
