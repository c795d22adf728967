// The secret that signs result links: made with the first account, kept in the Accounts table, read once per function.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { linkSecretKey } from "../aws/table-keys.ts";

let known: string | undefined;

/** The secret, or undefined before there has been an account. */
export async function findLinkSecret(table: string): Promise<string | undefined> {
  if (known !== undefined) return known;
  const command = new GetCommand({ TableName: table, Key: linkSecretKey, ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  known = Item?.["value"];
  return known;
}

/** The secret of a service that has accounts. Throws where it has none. */
export async function linkSecret(table: string): Promise<string> {
  const found = await findLinkSecret(table);
  if (found === undefined) throw new Error("There is no secret for links, which is made when an account is opened.");
  return found;
}
