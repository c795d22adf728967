// A step of the deletion of an account: it deletes items until its time is over. What is deleted is not found again, so a step that
// died is repeated from where it began.
//
// First the keys are revoked and the sessions ended, so that nothing new comes. Then the partitions are deleted, and the account with
// its keys last. Captures that were still running write their logs and counters after that: once none can be left, all partitions are
// deleted once more.
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { ApiKeySchema } from "../account/account.ts";
import { releaseEmail } from "../account/account-email.ts";
import { directoryKeys } from "../account/directory.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { partitionPages, type TableItem } from "../aws/partition-pages.ts";
import {
  accountKey,
  accountPartition,
  apiKeyKey,
  callerKey,
  deletionKey,
  linkKey,
  sessionCallerKey,
} from "../aws/table-keys.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { Environment } from "../platform/environment.ts";
import { logError, logInfo } from "../platform/log.ts";
import { deleteResult } from "../results/result-store.ts";
import { isAnswerKey } from "../results/stored-answer.ts";
import { isThumbnailKey } from "../results/stored-thumbnail.ts";
import { type Deletion, DeletionSchema, ended } from "./account-deletion.ts";
import { countCaptures } from "./count-captures.ts";
import { type AccountStorage, type DeletedPartitions, deletedPartitions } from "./deleted-partitions.ts";
import { deletionMail } from "./deletion-mail.ts";
import { revokeAllKeys } from "./revoke-keys.ts";
import { type HeldTask, runUnderLease, STEP_MS } from "./task-lease.ts";
import { enqueueStep } from "./task-queue.ts";

export type DeletionResources = Pick<
  Environment,
  | "ACCOUNTS_TABLE"
  | "USAGE_TABLE"
  | "ACTIVITY_TABLE"
  | "RESULTS_BUCKET"
  | "USAGE_RETENTION_DAYS"
  | "ACCOUNT_DATA_QUEUE_URL"
  | "DELETION_SWEEP_SECONDS"
> &
  Partial<Pick<Environment, "MAIL_FROM">>;

export interface DeletionStep {
  readonly accountId: number;
  readonly id: string;
  readonly step: number;
}

/**
 * Runs a step of a deletion. Resolves to undefined when its message is finished, and to the seconds after which to try again while
 * another step holds the deletion. `stepMs` is how long it takes new work, in milliseconds.
 */
export function runDeletionStep(
  { accountId, id, step }: DeletionStep,
  env: DeletionResources,
  { stepMs = STEP_MS }: { readonly stepMs?: number } = {},
): Promise<number | undefined> {
  const task = { table: env.ACCOUNTS_TABLE, key: deletionKey(accountId), step };
  return runUnderLease(task, async (held) => {
    const deletion = v.parse(DeletionSchema, held.item);
    if (deletion.id === id) await deleteUntil(held, deletion, { env, deadline: performance.now() + stepMs });
    else await held.release(); // an earlier deletion of an account that was restored since
  });
}

interface Deleting {
  readonly env: DeletionResources;
  readonly deadline: number;
}

async function deleteUntil(held: HeldTask, deletion: Deletion, { env, deadline }: Deleting): Promise<void> {
  const { account_id: accountId, requested_at, status } = deletion;
  const now = Date.now();
  const storage = storageOf(env);
  let { deleted } = deletion;
  if (deletion.position === 0 && status === "running" && (await hasAccount(storage.accounts, accountId))) {
    const { keys } = await revokeAllKeys(storage.accounts, accountId, new Date(requested_at).toISOString());
    deleted = { ...deleted, api_keys: keys.length };
    const total = deletion.total ?? (await countForProgress(accountId, now, env));
    await held.store({ deleted, total });
  }
  const partitions = deletedPartitions(storage, deletion, now);
  for (let position = deletion.position; position < partitions.length; position++) {
    const next = partitions[position] as DeletedPartitions;
    for await (const counts of deletePages(next, { bucket: storage.results, now })) {
      deleted = sumOf(deleted, counts.deleted);
      const done = { deleted, position: counts.isLast ? position + 1 : position };
      if (performance.now() >= deadline) return goOn(held, deletion, done, { env, delaySeconds: 1 });
      if (counts.items > 0) await held.store(done);
    }
  }
  if (status === "finishing") {
    await held.release({ deleted, ...ended(now) });
    logInfo("account swept", { account_id: accountId, ...deleted });
    return;
  }
  await held.store({ deleted, position: partitions.length }); // a part of the keys can't be revoked any more
  await deleteKeyRing(storage.accounts, deletion);
  await reportByMail(deletion, deleted, env);
  logInfo("account deleted", { account_id: accountId, ...deleted });
  const finished = { deleted, position: 0, status: "finishing", email: null, finished_at: now };
  await goOn(held, deletion, finished, { env, delaySeconds: env.DELETION_SWEEP_SECONDS });
}

/** Counts the captures of an account. A deletion doesn't depend on the counters that it deletes: without them, it has no progress. */
async function countForProgress(accountId: number, now: number, env: DeletionResources): Promise<number> {
  return countCaptures(accountId, {}, { now, env }).catch((error) => {
    logError("captures of a deleted account not counted", error, { account_id: accountId });
    return 0;
  });
}

/** Stores what is done, and leaves the rest to the next step. */
async function goOn(
  held: HeldTask,
  { account_id, id, step }: Deletion,
  done: Readonly<Record<string, unknown>>,
  { env, delaySeconds }: { readonly env: DeletionResources; readonly delaySeconds: number },
): Promise<void> {
  const next = { kind: "deletion", account_id, id, step: step + 1 } as const;
  await enqueueStep(env.ACCOUNT_DATA_QUEUE_URL, next, delaySeconds);
  await held.release({ ...done, step: step + 1 });
}

type Counts = Deletion["deleted"];

interface PageCounts {
  readonly items: number;
  readonly deleted: Partial<Counts>;
  /** True for the last pages of their partitions. */
  readonly isLast: boolean;
}

function sumOf(counts: Counts, further: Partial<Counts>): Counts {
  const sums = Object.entries(counts).map(([name, count]) => [name, count + (further[name as keyof Counts] ?? 0)]);
  return Object.fromEntries(sums) as Counts;
}

/** Deletes partitions side by side, and yields what the next page of each of them was. */
async function* deletePages(
  { table, partitions, counted, objectsOf }: DeletedPartitions,
  { bucket, now }: { readonly bucket: string; readonly now: number },
): AsyncGenerator<PageCounts> {
  const readers = partitions.map((partition) => partitionPages({ table, partition }));
  for (let isLast = false; !isLast; ) {
    const pages = await Promise.all(readers.map((reader) => reader.next()));
    const items = pages.flatMap(({ value }) => value?.items ?? []);
    isLast = pages.every(({ value }) => value?.next === undefined);
    let results = 0;
    await deleteItems(table, items, async (item) => {
      const objects = (await objectsOf?.(item, now)) ?? [];
      await Promise.all(objects.map((key) => deleteResult(bucket, key)));
      results += objects.filter((key) => !isThumbnailKey(key) && !isAnswerKey(key)).length;
    });
    yield { items: items.length, deleted: { results, ...(counted && { [counted]: items.length }) }, isLast };
  }
}

/** Items that are deleted side by side, each by its key: a role that may send batches could send any. */
const DELETED_AT_ONCE = 50;

/** Deletes items. `beforeEach` is called for each before it is deleted. */
async function deleteItems(
  table: string,
  items: readonly TableItem[],
  beforeEach: (item: TableItem) => Promise<void> = async () => undefined,
): Promise<void> {
  const waiting = items.values();
  const deleteNext = async () => {
    for (const item of waiting) {
      await beforeEach(item);
      const { pk, sk } = item;
      await dynamodb().send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(DELETED_AT_ONCE, items.length) }, deleteNext));
}

/**
 * Deletes the account with its keys and what finds them; the account itself goes last. Does nothing when it is deleted. The hash of a
 * mailbox that has had a trial is kept, so that it gets no second one.
 */
async function deleteKeyRing(table: string, { account_id: accountId, email }: Deletion): Promise<void> {
  const items = await accountItems(table, accountId);
  const keys = items.filter(({ sk }) => sk !== accountKey(accountId).sk).map((item) => v.parse(ApiKeySchema, item));
  const account = items.find(({ sk }) => sk === accountKey(accountId).sk);
  const address = typeof account?.["email"] === "string" ? account["email"] : email; // which the owner can have changed meanwhile
  if (address !== null) await releaseEmail(table, { email: address, accountId }); // a new account can have it by now
  await deleteItems(table, directoryKeys({ id: accountId, email: address }, keys));
  await deleteItems(table, [
    sessionCallerKey(accountId),
    ...keys.flatMap(({ id, hash, previous_texts }) => [
      linkKey(id),
      ...[hash, ...previous_texts.map((text) => text.hash)].map(callerKey),
    ]),
  ]);
  await deleteItems(
    table,
    keys.map(({ id }) => apiKeyKey(accountId, id)),
  );
  await deleteItems(table, [accountKey(accountId)]);
}

async function hasAccount(table: string, accountId: number): Promise<boolean> {
  return (await accountItems(table, accountId)).some(({ sk }) => sk === accountKey(accountId).sk);
}

/** The items of an account and its keys. */
async function accountItems(table: string, accountId: number): Promise<TableItem[]> {
  const items: TableItem[] = [];
  for await (const page of partitionPages({ table, partition: accountPartition(accountId) })) {
    items.push(...page.items);
  }
  return items;
}

/** Reports the end by e-mail, in a stage that sends mail. A mail that can't be sent doesn't keep the deletion from ending. */
async function reportByMail({ account_id, email }: Deletion, deleted: Counts, env: DeletionResources): Promise<void> {
  const { MAIL_FROM: from } = env;
  if (email === null || from === undefined) return;
  await sendMail({ from, to: email, ...deletionMail(account_id, deleted) }).catch((error) =>
    logError("mail about a deleted account not sent", error),
  );
}

function storageOf(env: DeletionResources): AccountStorage {
  const { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, RESULTS_BUCKET } = env;
  return { accounts: ACCOUNTS_TABLE, usage: USAGE_TABLE, activity: ACTIVITY_TABLE, results: RESULTS_BUCKET };
}
