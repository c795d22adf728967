// Copies an account back that was deleted, from tables that DynamoDB restored to an earlier time.
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import {
  deliveriesPartition,
  firstUsesPartition,
  hoursPartition,
  jobsPartition,
  keptEventsPartition,
  keyLimitsPartition,
  logPartition,
  monthsPartition,
  periodsPartition,
  receiverSecretsPartition,
  receiversPartition,
} from "../aws/table-keys.ts";
import { conditionFailed } from "../aws/transaction.ts";
import type { KeyRing } from "./account.ts";
import { monthsSince } from "./account-data.ts";
import { emailWrite } from "./account-email.ts";
import { type Item, partitionItems } from "./account-items.ts";
import { createKeyRing, FurtherWriteFailed, findSessionCaller, readKeyRing, updateKeyRing } from "./account-store.ts";

/** Names of tables. */
export interface RestoredTables {
  readonly accounts: string;
  /** Undefined to copy no counts and invoices. */
  readonly usage: string | undefined;
  /** Undefined to copy no captures. */
  readonly activity: string | undefined;
}

/** How much was copied. */
export interface RestorationReport {
  readonly account_id: number;
  readonly label: string;
  /** 0 for an account that exists. */
  readonly api_keys: number;
  /** Items with counts and billing periods. */
  readonly usage_items: number;
  readonly captures: number;
  readonly jobs: number;
}

/**
 * With its item, its caller, its link, and the callers of its previous texts, a key takes at most 13 items of a transaction, of which
 * DynamoDB allows 100.
 */
const KEYS_AT_ONCE = 6;
const COPIED_AT_ONCE = 25;

/** Of the table of counters. */
const copiedPartitions = [periodsPartition, keyLimitsPartition, firstUsesPartition, monthsPartition, hoursPartition];

/**
 * Copies counts, billing periods, captures, ended jobs, and deliveries to webhook receivers that the service lacks from restored
 * tables, and then the account with its keys and receivers, unless it exists: a key that was revoked since would work again. So it can be repeated after it was interrupted, and for an
 * account that has lost only counts or captures. Sessions, slots, leases, caches, and jobs in progress aren't copied, because what
 * they stand for is over. `now` is in milliseconds since 1970.
 *
 * Throws when the restored table has no such account, and when another account has its address or the id of one of its keys.
 */
export async function restoreAccount(
  to: { readonly accounts: string; readonly usage: string; readonly activity: string },
  from: RestoredTables,
  { accountId, now }: { readonly accountId: number; readonly now: number },
): Promise<RestorationReport> {
  const ring = await readKeyRing(from.accounts, accountId);
  const { label, created_at } = ring.account;
  let [usage_items, captures, jobs] = [0, 0, 0];
  if (from.usage !== undefined) {
    for (const partition of copiedPartitions) {
      usage_items += await copyPartition(from.usage, to.usage, partition(accountId));
    }
  }
  if (from.activity !== undefined) {
    for (const month of monthsSince(created_at, now)) {
      captures += await copyPartition(from.activity, to.activity, logPartition(accountId, month));
    }
    jobs = await copyPartition(from.activity, to.activity, jobsPartition(accountId), hasEnded);
    for (const partition of [deliveriesPartition, keptEventsPartition]) {
      await copyPartition(from.activity, to.activity, partition(accountId));
    }
  }
  const exists = (await findSessionCaller(to.accounts, accountId)) !== undefined;
  if (!exists) {
    for (const partition of [receiversPartition, receiverSecretsPartition]) {
      await copyPartition(from.accounts, to.accounts, partition(accountId));
    }
    await createAccount(to.accounts, ring);
  }
  return { account_id: accountId, label, api_keys: exists ? 0 : ring.keys.length, usage_items, captures, jobs };
}

async function createAccount(table: string, { account, keys }: KeyRing): Promise<void> {
  const { id: accountId, email } = account;
  const emailWrites = email === null ? [] : [emailWrite(table, { email, accountId })];
  const first = { account, keys: keys.slice(0, KEYS_AT_ONCE) };
  const isCreated = await createKeyRing(table, first, emailWrites).catch((error) => {
    if (error instanceof FurtherWriteFailed) throw new Error(`Another account has the e-mail address ${email}.`);
    throw error;
  });
  if (!isCreated) throw new Error(`Another account has the id of one of the keys of account ${accountId}.`);
  for (let start = KEYS_AT_ONCE; start < keys.length; start += KEYS_AT_ONCE) {
    const next = keys.slice(start, start + KEYS_AT_ONCE);
    await updateKeyRing(table, accountId, (ring) => ({ ...ring, keys: [...ring.keys, ...next] }));
  }
}

/** Copies the items that the other table lacks. Resolves to their number. */
async function copyPartition(
  from: string,
  to: string,
  partition: string,
  isWanted: (item: Item) => boolean = () => true,
): Promise<number> {
  let count = 0;
  let group: Item[] = [];
  const flush = async () => {
    const copied = await Promise.all(group.map((item) => putMissing(to, item)));
    count += copied.filter(Boolean).length;
    group = [];
  };
  for await (const item of partitionItems(from, partition)) {
    if (!isWanted(item)) continue;
    group.push(item);
    if (group.length === COPIED_AT_ONCE) await flush();
  }
  await flush();
  return count;
}

async function putMissing(TableName: string, Item: Item): Promise<boolean> {
  try {
    await dynamodb().send(new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" }));
    return true;
  } catch (error) {
    if (conditionFailed(error)) return false;
    throw error;
  }
}

function hasEnded({ status }: Item): boolean {
  return status === "success" || status === "failed";
}
