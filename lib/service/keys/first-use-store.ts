// Records in the Usage table which secrets of API keys have reported their first use.
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { firstUseKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";

/** A secret of an API key, by its SHA-256. */
interface KeyText {
  readonly accountId: number;
  readonly hash: string;
}

/** Stores that the first use of a text is reported. Resolves to false if that is stored already. */
export async function markReported(table: string, { accountId, hash }: KeyText): Promise<boolean> {
  const command = new PutCommand({
    TableName: table,
    Item: firstUseKey(accountId, hash),
    ConditionExpression: "attribute_not_exists(pk)",
  });
  return (await cancellationReason(() => dynamodb().send(command))) === undefined;
}

/** Takes back `markReported` after a mail that could not be sent. */
export async function unmarkReported(table: string, { accountId, hash }: KeyText): Promise<void> {
  await dynamodb().send(new DeleteCommand({ TableName: table, Key: firstUseKey(accountId, hash) }));
}
