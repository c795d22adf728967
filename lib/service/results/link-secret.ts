// The HMAC secret that signs result links: created with the first account, stored in the Accounts table, cached per process.
import { randomBytes } from "node:crypto";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { linkSecretKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";

let cached: string | undefined;

/** Returns the secret, or undefined before the first account is opened. */
export async function findLinkSecret(table: string): Promise<string | undefined> {
  if (cached !== undefined) return cached;
  const command = new GetCommand({ TableName: table, Key: linkSecretKey, ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  cached = Item?.["value"];
  return cached;
}

/** Returns the secret. Throws when no account has been opened yet. */
export async function linkSecret(table: string): Promise<string> {
  const found = await findLinkSecret(table);
  if (found === undefined) throw new Error("There is no link secret; it is created when the first account is opened.");
  return found;
}

/**
 * Creates the secret unless it exists: a conditional write, so that of several concurrent calls the first one wins. Only
 * the operator's commands call this. No function's role may write the item, so a compromised one cannot replace the secret.
 */
export async function createLinkSecret(table: string): Promise<void> {
  const Item = { ...linkSecretKey, value: randomBytes(32).toString("base64url") };
  const command = new PutCommand({ TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" });
  await cancellationReason(() => dynamodb().send(command));
}
