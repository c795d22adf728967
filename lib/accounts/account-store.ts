// Accounts and API keys in the Accounts table. A key is found by its hash, so that the table holds no usable key.
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../platform/clients.ts";
import { accountIndexKey, accountKey, apiKeyKey } from "../platform/table-keys.ts";
import { type Account, AccountSchema, type ApiKey, ApiKeySchema } from "./account.ts";

/** Stores a new account with its first key, both or neither. */
export async function putAccount(table: string, account: Account, key: ApiKey, hash: string): Promise<void> {
  await dynamodb().send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: table, Item: { ...accountKey(account.id), ...account }, ...IF_NEW } },
        { Put: { TableName: table, Item: apiKeyItem(key, hash), ...IF_NEW } },
      ],
    }),
  );
}

export async function putApiKey(table: string, key: ApiKey, hash: string): Promise<void> {
  await dynamodb().send(new PutCommand({ TableName: table, Item: apiKeyItem(key, hash), ...IF_NEW }));
}

export async function getAccount(table: string, accountId: number): Promise<Account | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: accountKey(accountId) }));
  return Item && v.parse(AccountSchema, Item);
}

/** The key with this hash, whatever its state. */
export async function findApiKey(table: string, hash: string): Promise<ApiKey | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: apiKeyKey(hash) }));
  return Item && v.parse(ApiKeySchema, Item);
}

/** The keys of an account, oldest first, revoked ones too. The index follows a write within a second. */
export async function listApiKeys(table: string, accountId: number): Promise<ApiKey[]> {
  return (await queryKeys(table, accountId)).map((item) => v.parse(ApiKeySchema, item)).sort((a, b) => a.id - b.id);
}

/** Revokes a key of an account at `revokedAt`. Returns it as it is now, or undefined when the account has no such key. */
export async function revokeApiKey(
  table: string,
  { accountId, keyId, revokedAt }: { accountId: number; keyId: number; revokedAt: string },
): Promise<ApiKey | undefined> {
  const item = (await queryKeys(table, accountId)).find(({ id }) => id === keyId);
  if (!item) return undefined;
  const { Attributes } = await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: { pk: item.pk, sk: item.sk },
      UpdateExpression: "SET revoked_at = :revokedAt",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":revokedAt": item.revoked_at ?? revokedAt },
      ReturnValues: "ALL_NEW",
    }),
  );
  return v.parse(ApiKeySchema, Attributes);
}

const IF_NEW = { ConditionExpression: "attribute_not_exists(pk)" };

function apiKeyItem(key: ApiKey, hash: string) {
  return { ...apiKeyKey(hash), ...accountIndexKey(key.account_id), ...key };
}

async function queryKeys(table: string, accountId: number): Promise<Record<string, unknown>[]> {
  const { account_pk, sk } = accountIndexKey(accountId);
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: table,
      IndexName: "by-account",
      KeyConditionExpression: "account_pk = :account AND sk = :key",
      ExpressionAttributeValues: { ":account": account_pk, ":key": sk },
    }),
  );
  return Items;
}
