// The secret that signs result links, made by whoever opens accounts.
import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { linkSecretKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";

/**
 * Makes the secret, unless there is one: of several that are made at once the first one stays. No function may write it,
 * so that one that has been taken over cannot put a secret of its own in its place.
 */
export async function createLinkSecret(table: string): Promise<void> {
  const Item = { ...linkSecretKey, value: randomBytes(32).toString("base64url") };
  const command = new PutCommand({ TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" });
  await cancellationReason(() => dynamodb().send(command));
}
