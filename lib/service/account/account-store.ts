// Stores accounts and their API keys in the Accounts table: transactions with optimistic locking on the account's
// `version`.
//
// A caller is a denormalised copy of a key and its account, stored under the key's hash, so that authentication is one
// read and no usable key is stored. A second copy under the key's id authenticates links that the key signed. Copies
// are written in the same transaction as their originals.
import { setTimeout as pause } from "node:timers/promises";
import { paginateScan } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { getItem, queryItems } from "../aws/items.ts";
import { accountKey, accountPartition, apiKeyKey, callerKey, linkKey, sessionCallerKey } from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { newKeys, withFreeIds } from "../keys/key-ring.ts";
import { decryptSecrets, encryptSecrets } from "../secrets/signing-secrets.ts";
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
  type SessionCaller,
  SessionCallerSchema,
  type SigningSecrets,
  SigningSecretsSchema,
} from "./account.ts";
import { keyRingWrites, type StoredKeyRing, sumVersions } from "./account-writes.ts";
import { hasRightAccount } from "./internal-account.ts";
import { applyScheduledPlan } from "./scheduled-plan.ts";

/** Linear backoff: each wait is longer than the previous one by this. */
const BACKOFF_STEP_MS = 10;

/** Finds the caller by the SHA-256 of the key, also when the key is revoked or expired. */
export async function findCaller(table: string, hash: string): Promise<Caller | undefined> {
  // A strongly consistent read: a revoked key is rejected immediately.
  const item = await getItem(table, callerKey(hash));
  const caller = item && asOfNow(v.parse(CallerSchema, item));
  return caller && hasRightAccount(hash, caller) ? caller : undefined;
}

/** Finds the caller of links signed by this key, also when the key is revoked or expired. */
export async function findLinkCaller(table: string, keyId: number): Promise<LinkCaller | undefined> {
  const item = await getItem(table, linkKey(keyId));
  if (!item) return undefined;
  const { caller, secrets } = v.parse(LinkCallerSchema, item);
  return { caller: asOfNow(caller), secrets: await decryptSecrets(table, ["account", caller.account.id], secrets) };
}

/** Finds the facts of the caller of an account's sessions; undefined when the account does not exist. */
export async function findSessionCaller(table: string, accountId: number): Promise<SessionCaller | undefined> {
  const item = await getItem(table, sessionCallerKey(accountId));
  return item && asOfNow(v.parse(SessionCallerSchema, item));
}

/** The caller with the plan that its account has now. */
function asOfNow<C extends Pick<Caller, "account">>(caller: C): C {
  return { ...caller, account: applyScheduledPlan(caller.account, Date.now()) };
}

/** Reads an account with all its keys, whose secrets are as they are stored. Throws `NoSuchAccount`. */
export async function readKeyRing(table: string, accountId: number): Promise<KeyRing> {
  return (await readSnapshot(table, accountId)).ring;
}

/** Reads the secrets of one key of an account, also when it is revoked; undefined when the account has no key of this id. */
export async function readKeySecrets(
  table: string,
  { account_id, id }: Pick<ApiKey, "account_id" | "id">,
): Promise<SigningSecrets | undefined> {
  const item = await getItem(table, apiKeyKey(account_id, id));
  return item && decryptSecrets(table, ["account", account_id], v.parse(SigningSecretsSchema, item));
}

/** Thrown for an account that does not exist. */
export class NoSuchAccount extends Error {
  constructor(accountId: number) {
    super(`There is no account ${accountId}.`);
  }
}

/** Thrown when the condition of a further write of the transaction fails; nothing was stored. */
export class FurtherWriteFailed extends Error {
  /** Which of the further writes it is, counted from 0. */
  readonly index: number;

  constructor(index: number) {
    super(`The condition of the further write ${index} failed.`);
    this.index = index;
  }
}

/**
 * Stores a new account with its keys, and `further` items in the same transaction. Resolves to false when the account's id or
 * a key's id is already in use. Throws `FurtherWriteFailed`.
 */
export async function createKeyRing(table: string, ring: KeyRing, further: readonly Write[] = []): Promise<boolean> {
  const own = keyRingWrites(table, undefined, await encryptKeys(table, ring));
  try {
    await transact([...own, ...further]);
    return true;
  } catch (error) {
    const failed = failedCondition(error);
    if (!failed) throw error;
    if (failed.index >= own.length) throw new FurtherWriteFailed(failed.index - own.length);
    return false;
  }
}

/**
 * Applies `change` to an account and its keys in one transaction with optimistic locking, and again after a concurrent
 * update. Stores nothing when `change` throws. Resolves to the stored key ring, in which new secrets are plain text. Throws
 * `NoSuchAccount`, and `CONFLICT` for more keys than one transaction can rewrite.
 * A new key whose id another account uses gets another id. `further` items are stored in the same transaction. Throws
 * `FurtherWriteFailed`.
 */
export async function updateKeyRing(
  table: string,
  accountId: number,
  change: (ring: KeyRing) => KeyRing,
  further: (before: KeyRing) => readonly Write[] = () => [],
): Promise<KeyRing> {
  const usedIds = new Set<number>();
  for (let attempt = 1; ; attempt++) {
    const stored = await readSnapshot(table, accountId);
    const before = stored.ring;
    const changed = withFreeIds(change(before), before, usedIds);
    if (changed === before) return before;
    const after = { ...changed, account: { ...changed.account, version: before.account.version + 1 } };
    const own = keyRingWrites(table, stored, await encryptKeys(table, after, stored));
    const writes = [...own, ...further(before)];
    if (writes.length > MAX_WRITES) throw tooManyKeys(accountId);
    try {
      await transact(writes);
      return after;
    } catch (error) {
      const failed = failedCondition(error);
      if (!failed) throw error;
      if (failed.index >= own.length) throw new FurtherWriteFailed(failed.index - own.length);
      if (failed.index > 0)
        for (const { id } of newKeys(after, before)) usedIds.add(id); // another account uses the id
      else await pause(Math.random() * attempt * BACKOFF_STEP_MS); // a concurrent update won; full jitter before the next attempt
    }
  }
}

/** Items of a transaction of DynamoDB. */
const MAX_WRITES = 100;

/** The error for an account with keys from a time when it could have more than now. */
function tooManyKeys(accountId: number): ApiError {
  const message =
    `The account ${accountId} has more API keys, and previous texts of rotated ones, than one change can rewrite. ` +
    "Revoke one of its keys first.";
  return new ApiError("CONFLICT", message);
}

/** The key ring with the secrets of keys that are written encrypted. A key that is not written stays the same object. */
async function encryptKeys(table: string, ring: KeyRing, stored?: StoredKeyRing): Promise<KeyRing> {
  const encrypt = (key: ApiKey) =>
    stored?.versions.has(key) ? key : encryptSecrets(table, ["account", key.account_id], key);
  return { ...ring, keys: await Promise.all(ring.keys.map(encrypt)) };
}

/** Lists all accounts, oldest first. Scans the whole table. */
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
  for await (const { Items = [] } of pages)
    accounts.push(...Items.map((item) => applyScheduledPlan(v.parse(AccountSchema, item), Date.now())));
  return accounts.toSorted((a, b) => a.id - b.id);
}

const StoredAccountSchema = v.object({ ...AccountSchema.entries, key_versions: v.number() });
const StoredVersionSchema = v.object({ version: v.number() });

/** Reads until a transaction is visible as a whole, which takes milliseconds; the waits add up to two seconds. */
const MAX_SNAPSHOT_READS = 20;

/**
 * Reads a consistent snapshot of the account's partition. A query can see part of a transaction's writes, and a change
 * based on that would undo the rest. The account's item stores the sum of its keys' versions; a stale or missing key
 * makes the sum differ, and the partition is read again.
 */
async function readSnapshot(table: string, accountId: number): Promise<StoredKeyRing> {
  for (let reads = 1; reads <= MAX_SNAPSHOT_READS; reads++) {
    const items = await queryItems(table, accountPartition(accountId));
    const keyItems = items.filter(({ sk }) => sk !== accountKey(accountId).sk);
    const [accountItem] = items.filter(({ sk }) => sk === accountKey(accountId).sk);
    if (!accountItem) throw new NoSuchAccount(accountId);
    const { key_versions, ...account } = v.parse(StoredAccountSchema, accountItem);
    const versions = new Map(
      keyItems.map((item) => [v.parse(ApiKeySchema, item), v.parse(StoredVersionSchema, item).version]),
    );
    if (sumVersions(versions.values()) === key_versions)
      return { ring: { account: applyScheduledPlan(account, Date.now()), keys: [...versions.keys()] }, versions };
    await pause(reads * BACKOFF_STEP_MS);
  }
  throw new Error(`The keys of account ${accountId} could not be read as a consistent snapshot.`);
}
