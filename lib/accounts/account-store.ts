// Accounts with their API keys, and callers, in the Accounts table.
//
// A caller is what a presented key gives: facts of the key and of its account, copied under the key's hash, so that one
// read tells all that a request has to know and no usable key is stored. Another copy, under the key's id, does the same
// for links that the key has signed. Copies are written together with what they
// copy; the account's version makes sure that no two changes overtake each other.
import { setTimeout as pause } from "node:timers/promises";
import { GetCommand, paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { accountKey, accountPartition, apiKeyKey, callerKey, linkKey } from "../aws/table-keys.ts";
import { failedCondition, transact } from "../aws/transaction.ts";
import {
  type Account,
  AccountSchema,
  type ApiKey,
  ApiKeySchema,
  type Caller,
  CallerSchema,
  type KeyRing,
  type LinkCaller,
  LinkCallerSchema,
} from "./account.ts";
import { keyRingWrites, type StoredKeyRing, sumVersions } from "./account-writes.ts";
import { newKeys, withFreeIds } from "./key-ring.ts";

/** By how much each wait is longer than the one before. */
const WAIT_LONGER_MS = 10;

/** The caller that presents the key with this hash, whatever the key's state. */
export async function findCaller(table: string, hash: string): Promise<Caller | undefined> {
  // Consistent, so that a key is refused from the moment it is revoked.
  const command = new GetCommand({ TableName: table, Key: callerKey(hash), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  return Item && v.parse(CallerSchema, Item);
}

/** The caller whom a link that this key has signed stands for, whatever the key's state. */
export async function findLinkCaller(table: string, keyId: number): Promise<LinkCaller | undefined> {
  const command = new GetCommand({ TableName: table, Key: linkKey(keyId), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  return Item && v.parse(LinkCallerSchema, Item);
}

/** An account with all its keys. Throws when there is no such account. */
export async function readKeyRing(table: string, accountId: number): Promise<KeyRing> {
  return (await readStored(table, accountId)).ring;
}

/** A key of an account, whatever its state; undefined when the account has none of this id. */
export async function readKey(
  table: string,
  { account_id, id }: Pick<ApiKey, "account_id" | "id">,
): Promise<ApiKey | undefined> {
  const command = new GetCommand({ TableName: table, Key: apiKeyKey(account_id, id), ConsistentRead: true });
  const { Item } = await dynamodb().send(command);
  return Item && v.parse(ApiKeySchema, Item);
}

/** Stores a new account with its keys. Resolves to false when there is one of the account's id or of a key's already. */
export async function createKeyRing(table: string, ring: KeyRing): Promise<boolean> {
  try {
    await transact(keyRingWrites(table, undefined, ring));
    return true;
  } catch (error) {
    if (!failedCondition(error)) throw error;
    return false;
  }
}

/**
 * Changes an account and its keys: all of it or, when `change` throws, nothing. Resolves to what they became. Throws when
 * there is no such account. A new key gets another id where one of another account has it already.
 */
export async function updateKeyRing(
  table: string,
  accountId: number,
  change: (ring: KeyRing) => KeyRing,
): Promise<KeyRing> {
  const taken = new Set<number>();
  for (let attempt = 1; ; attempt++) {
    const stored = await readStored(table, accountId);
    const before = stored.ring;
    const changed = withFreeIds(change(before), before, taken);
    if (changed === before) return before;
    const after = { ...changed, account: { ...changed.account, version: before.account.version + 1 } };
    try {
      await transact(keyRingWrites(table, stored, after));
      return after;
    } catch (error) {
      const refused = failedCondition(error);
      if (!refused) throw error;
      if (refused.index > 0)
        for (const { id } of newKeys(after, before)) taken.add(id); // by another account
      else await pause(Math.random() * attempt * WAIT_LONGER_MS); // somebody else was sooner
    }
  }
}

/** All accounts, oldest first. Reads the whole table. */
export async function listAccounts(table: string): Promise<Account[]> {
  const pages = paginateScan(
    { client: dynamodb() },
    {
      TableName: table,
      FilterExpression: "sk = :account",
      ExpressionAttributeValues: { ":account": accountKey(0).sk },
      ConsistentRead: true,
    },
  );
  const accounts: Account[] = [];
  for await (const { Items = [] } of pages) accounts.push(...Items.map((item) => v.parse(AccountSchema, item)));
  return accounts.toSorted((a, b) => a.id - b.id);
}

const StoredAccountSchema = v.object({ ...AccountSchema.entries, key_versions: v.number() });
const StoredVersionSchema = v.object({ version: v.number() });

/** A transaction shows all it has written within milliseconds; the waits for that are two seconds in sum. */
const SETTLING_READS = 20;

/**
 * Reads until what is read is of one moment: a query can see a part of what a transaction has written, and a change made
 * on that would undo the rest. The account's item has the sum of its keys' versions, which a key that is old or missing
 * falls short of.
 */
async function readStored(table: string, accountId: number): Promise<StoredKeyRing> {
  for (let reads = 1; reads <= SETTLING_READS; reads++) {
    const items = await queryAccount(table, accountId);
    const keyItems = items.filter(({ sk }) => sk !== accountKey(accountId).sk);
    const [accountItem] = items.filter(({ sk }) => sk === accountKey(accountId).sk);
    if (!accountItem) throw new Error(`There is no account ${accountId}.`);
    const { key_versions, ...account } = v.parse(StoredAccountSchema, accountItem);
    const versions = new Map(
      keyItems.map((item) => [v.parse(ApiKeySchema, item), v.parse(StoredVersionSchema, item).version]),
    );
    if (sumVersions(versions.values()) === key_versions)
      return { ring: { account, keys: [...versions.keys()] }, versions };
    await pause(reads * WAIT_LONGER_MS);
  }
  throw new Error(`The keys of account ${accountId} are not all of the same moment.`);
}

async function queryAccount(table: string, accountId: number): Promise<Record<string, unknown>[]> {
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": accountPartition(accountId) },
      ConsistentRead: true,
    },
  );
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
