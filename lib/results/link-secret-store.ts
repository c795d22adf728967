// The secret that signs result links: made on first use, kept in the Accounts table, read once per function.
import { randomBytes } from "node:crypto";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../platform/clients.ts";
import { secretKey } from "../platform/table-keys.ts";

const KEY = secretKey("result-links");
let known: string | undefined;

/** The secret, or undefined while no link has ever been signed. */
export async function findLinkSecret(table: string): Promise<string | undefined> {
  if (known !== undefined) return known;
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: KEY, ConsistentRead: true }));
  known = Item?.value;
  return known;
}

/** The secret, made now if there is none yet. Of several that are made at once the first one stays. */
export async function linkSecret(table: string): Promise<string> {
  const found = await findLinkSecret(table);
  if (found !== undefined) return found;
  const Item = { ...KEY, value: randomBytes(32).toString("base64url") };
  try {
    await dynamodb().send(new PutCommand({ TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  return linkSecret(table);
}
