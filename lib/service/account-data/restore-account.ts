// Copies an account back that was deleted, from tables that DynamoDB restored to an earlier time.
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { KeyRing } from "../account/account.ts";
import { emailWrite } from "../account/account-email.ts";
import {
  createKeyRing,
  FurtherWriteFailed,
  findSessionCaller,
  readKeyRing,
  updateKeyRing,
} from "../account/account-store.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { putItem, writeCondition } from "../aws/items.ts";
import { partitionPages, type TableItem } from "../aws/partition-pages.ts";
import {
  dayLimitsPartition,
  deletionKey,
  deliveriesPartition,
  failuresPartition,
  firstUsesPartition,
  hoursPartition,
  jobsPartition,
  keyLimitsPartition,
  logPartition,
  monthsPartition,
  periodsPartition,
  receiverSecretsPartition,
  receiversPartition,
  storedEventsPartition,
} from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import { monthsBetween } from "../usage/day.ts";

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
 * With its item, its caller, its link, the callers of its previous texts, and the prefixes of all texts in the directory, a key takes at most
 * 24 items of a transaction, of which DynamoDB allows 100.
 */
const KEYS_AT_ONCE = 3;
const COPIED_AT_ONCE = 25;

/** Of the table of counters. */
const copiedPartitions = [
  periodsPartition,
  keyLimitsPartition,
  dayLimitsPartition,
  failuresPartition,
  firstUsesPartition,
  monthsPartition,
  hoursPartition,
];

/**
 * Copies counts, billing periods, captures, ended jobs, and deliveries to webhook receivers that the service lacks from restored
 * tables, and then the account with its keys and receivers, unless it exists: a key that was revoked since would work again. So it can be repeated after it was interrupted, and for an
 * account that has lost only counts or captures. Sessions, slots, leases, caches, and jobs in progress aren't copied, because what
 * they stand for is over. `now` is in milliseconds since 1970.
 *
 * Throws when the restored table has no such account, when another account has its address or the id of one of its keys, and while
 * the account is being deleted.
 */
export async function restoreAccount(
  to: { readonly accounts: string; readonly usage: string; readonly activity: string },
  from: RestoredTables,
  { accountId, now }: { readonly accountId: number; readonly now: number },
): Promise<RestorationReport> {
  const ring = await readKeyRing(from.accounts, accountId);
  const { label, created_at } = ring.account;
  await endDeletion(to.accounts, accountId);
  let [usage_items, captures, jobs] = [0, 0, 0];
  if (from.usage !== undefined) {
    for (const partition of copiedPartitions) {
      usage_items += await copyPartition(from.usage, to.usage, partition(accountId));
    }
  }
  if (from.activity !== undefined) {
    for (const month of monthsBetween(Date.parse(created_at), now)) {
      captures += await copyPartition(from.activity, to.activity, logPartition(accountId, month));
    }
    jobs = await copyPartition(from.activity, to.activity, jobsPartition(accountId), hasEnded);
    for (const partition of [deliveriesPartition, storedEventsPartition]) {
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

/** Forgets the deletion of an account, which would delete once more what captures that were running have left. */
async function endDeletion(table: string, accountId: number): Promise<void> {
  const command = new DeleteCommand({
    TableName: table,
    Key: deletionKey(accountId),
    ...writeCondition("attribute_not_exists(pk) OR (#status <> :running AND leased_until < :now)", {
      ":running": "running",
      ":now": Date.now(),
    }),
  });
  const failed = await cancellationReason(() => dynamodb().send(command));
  if (failed) throw new Error(`Account ${accountId} is being deleted. Restore it once that has ended.`);
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
  isWanted: (item: TableItem) => boolean = () => true,
): Promise<number> {
  let count = 0;
  let group: TableItem[] = [];
  const flush = async () => {
    const copied = await Promise.all(group.map((item) => putMissing(to, item)));
    count += copied.filter(Boolean).length;
    group = [];
  };
  for await (const { items } of partitionPages({ table: from, partition })) {
    for (const item of items.filter(isWanted)) {
      group.push(item);
      if (group.length === COPIED_AT_ONCE) await flush();
    }
  }
  await flush();
  return count;
}

async function putMissing(table: string, item: TableItem): Promise<boolean> {
  return (await putItem(table, item, "attribute_not_exists(pk)")).isChanged;
}

function hasEnded({ status }: TableItem): boolean {
  return status === "success" || status === "failed";
}
