// All data of an account: exports it for its owner, and deletes it.
import {
  accountKey,
  accountPartitions,
  addressUndoPartition,
  apiKeyKey,
  callerKey,
  deliveriesPartition,
  emailKey,
  jobsPartition,
  linkKey,
  logPartition,
  receiverSecretsPartition,
  receiversPartition,
  sessionCallerKey,
  sessionsPartition,
  signInReportsPartition,
} from "../aws/table-keys.ts";
import { withRevokedKey } from "../keys/key-ring.ts";
import { listAutomaticReceivers, listReceivers } from "../receivers/receiver-store.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import { objectKeys } from "../results/stored-capture.ts";
import { isThumbnailKey } from "../results/stored-thumbnail.ts";
import { hashSecret } from "../sessions/secret-token.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";
import { loggedObjects } from "../usage/logged-objects.ts";
import type { Account, ApiKey, KeyRing } from "./account.ts";
import { deleteItems, type Item, partitionItems } from "./account-items.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";

/** The tables and the bucket that hold the data of accounts. */
export interface AccountStorage {
  readonly accounts: string;
  readonly usage: string;
  readonly activity: string;
  readonly results: string;
}

/** A line of an export: what it is, and its fields, without secrets. */
export type ExportedRecord = { readonly kind: ExportedKind } & Readonly<Record<string, unknown>>;
export type ExportedKind =
  | "account"
  | "api_key"
  | "webhook_receiver"
  | "session"
  | "invoice"
  | "job"
  | "webhook_delivery"
  | "capture";

export interface ExportParts {
  /** The invoices of an account as the API answers them. */
  readonly readInvoices: (account: Account, now: number) => Promise<readonly object[]>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Yields all data of an account at `now` (milliseconds since 1970): the account, its keys, webhook receivers, and sessions without
 * their secrets, invoices, jobs, deliveries to the receivers, and captures, newest first. Throws when the account does not exist.
 */
export async function* exportAccount(
  storage: AccountStorage,
  accountId: number,
  { readInvoices, now }: ExportParts,
): AsyncGenerator<ExportedRecord> {
  const { account, keys } = await readKeyRing(storage.accounts, accountId);
  yield { kind: "account", ...without(account, "version") };
  for (const key of keys) {
    yield { kind: "api_key", ...exportedKey(key) };
  }
  const saved = await listReceivers(storage.accounts, accountId);
  for (const receiver of [...saved, ...(await listAutomaticReceivers(storage.accounts, accountId))]) {
    const facts = without(receiver, "account_id", "ttl");
    yield { kind: "webhook_receiver", ...withTimestamps(facts, "resumed_at", "replayed_at") };
  }
  for await (const session of partitionItems(storage.accounts, sessionsPartition(accountId))) {
    const facts = without(session, "pk", "sk", "ttl", "api_key_hash", "account_id", "address_proof");
    yield { kind: "session", ...withTimestamps(facts, "created_at", "last_used_at", "expires_at") };
  }
  for (const invoice of await readInvoices(account, now)) yield { kind: "invoice", ...invoice };
  for await (const job of partitionItems(storage.activity, jobsPartition(accountId), { isNewestFirst: true })) {
    yield exportedJob(job);
  }
  for await (const delivery of partitionItems(storage.activity, deliveriesPartition(accountId), {
    isNewestFirst: true,
  })) {
    yield { kind: "webhook_delivery", ...without(delivery, "pk", "sk", "ttl") };
  }
  for (const month of monthsSince(account.created_at, now)) {
    const logs = partitionItems(storage.activity, logPartition(accountId, month), { isNewestFirst: true });
    for await (const log of logs) yield exportedCapture(log);
  }
}

/** How much of an account was deleted. */
export interface DeletionReport {
  readonly account_id: number;
  readonly label: string;
  readonly captures: number;
  readonly jobs: number;
  /** Stored results, without thumbnails; those that no longer have a link are deleted by their lifetime, of at most 31 days. */
  readonly results: number;
  readonly api_keys: number;
  readonly sessions: number;
}

export interface DeletionParts {
  /** Deletes an object of the bucket; does nothing when there is none. */
  readonly deleteObject: (key: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Deletes an account with all its data. First its keys are revoked and its sessions ended, so that nothing new comes; the
 * account itself goes last, so that a deletion that was interrupted can be repeated. The hash of a mailbox that has had a
 * trial is kept, so that it gets no second one. Throws when the account does not exist.
 */
export async function deleteAccount(
  storage: AccountStorage,
  accountId: number,
  { deleteObject, now }: DeletionParts,
): Promise<DeletionReport> {
  const { accounts, usage, activity } = storage;
  const { account, keys } = await revokeAllKeys(accounts, accountId, new Date(now).toISOString());
  const sessions = await deletePartition(accounts, sessionsPartition(accountId));
  await deletePartition(accounts, addressUndoPartition(accountId));
  await deletePartition(accounts, signInReportsPartition(accountId));
  await deletePartition(accounts, receiverSecretsPartition(accountId));
  await deletePartition(accounts, receiversPartition(accountId));

  let results = 0;
  const deleteStored = async (item: Item) => {
    const objects = await storedObjects(storage.results, item);
    await Promise.all(objects.map(deleteObject));
    results += objects.filter((key) => !isThumbnailKey(key)).length;
  };
  const jobs = await deletePartition(activity, jobsPartition(accountId), deleteStored);
  let captures = 0;
  for (const month of monthsSince(account.created_at, now)) {
    captures += await deletePartition(activity, logPartition(accountId, month), deleteStored);
  }
  const others = accountPartitions(accountId);
  for (const partition of others.activity) await deletePartition(activity, partition, deleteStored);
  for (const partition of others.usage) await deletePartition(usage, partition);

  await deleteItems(accounts, [
    sessionCallerKey(accountId),
    ...(account.email === null ? [] : [emailKey(hashSecret(account.email))]),
    ...keys.flatMap(({ id, hash, previous_texts }) => [
      linkKey(id),
      ...[hash, ...previous_texts.map((text) => text.hash)].map(callerKey),
    ]),
  ]);
  await deleteItems(
    accounts,
    keys.map(({ id }) => apiKeyKey(accountId, id)),
  );
  await deleteItems(accounts, [accountKey(accountId)]);
  return { account_id: accountId, label: account.label, captures, jobs, results, api_keys: keys.length, sessions };
}

/** With the callers of its previous texts, a key takes at most 13 items of a transaction, of which DynamoDB allows 100. */
const REVOKED_AT_ONCE = 6;

async function revokeAllKeys(table: string, accountId: number, now: string): Promise<KeyRing> {
  for (;;) {
    const ring = await updateKeyRing(table, accountId, (current) => {
      const active = current.keys.filter(({ revoked_at }) => revoked_at === null).slice(0, REVOKED_AT_ONCE);
      return active.reduce((changed, { id }) => withRevokedKey(changed, id, now), current);
    });
    if (ring.keys.every(({ revoked_at }) => revoked_at !== null)) return ring;
  }
}

function deletePartition(table: string, partition: string, onDeleted?: (item: Item) => Promise<void>): Promise<number> {
  return deleteItems(table, partitionItems(table, partition), onDeleted);
}

/** Keys of the objects that a job, a log or a cache entry refers to. */
async function storedObjects(bucket: string, { result, capture, details, thumbnail }: Item): Promise<string[]> {
  if (isItem(details) || isItem(thumbnail)) return loggedObjects({ details, thumbnail });
  const packed = isItem(result) ? result["stored"] : capture;
  if (!isItem(packed)) return [];
  const stored = await unpackCapture(bucket, packed);
  const facts = typeof packed["object"] === "string" ? [packed["object"]] : [];
  return stored ? [...objectKeys(stored), ...facts] : facts;
}

function exportedKey(key: ApiKey): Item {
  const facts = without(
    key,
    "hash",
    "reports_first_use",
    "signing_secret",
    "previous_signing_secrets",
    "previous_texts",
    "account_id",
  );
  const monthly_limit = key.monthly_limit?.captures ?? null;
  const previous_texts = key.previous_texts.map(({ key_prefix, until }) => ({ key_prefix, ends_at: until }));
  return { ...facts, monthly_limit, previous_texts };
}

/** A log of the list, with its details, and without the keys of stored objects, of which one would be a link's. */
function exportedCapture(item: Item): ExportedRecord {
  const { details } = item;
  const log = without(fromLogItem(item), "thumbnail");
  return { kind: "capture", ...log, ...(isItem(details) && without(details, "result", "report")) };
}

function exportedJob({ id, status, created_at, finished_at, external_identifier, error, webhook, request }: Item) {
  const { url, format, options, source_ip } = isItem(request) ? request : {};
  const { url: address, receiver_id, status: state, deliveries } = isItem(webhook) ? webhook : {};
  const requested = { url, format, options, ip_address: source_ip };
  const facts = { id, status, created_at, finished_at, external_identifier, error, ...requested };
  return {
    kind: "job" as const,
    ...facts,
    webhook: webhook ? { url: address, receiver_id, status: state, deliveries } : null,
  };
}

/** The UTC months from a timestamp to `now`, newest first, such as `2026-01`. */
export function monthsSince(timestamp: string, now: number): string[] {
  const last = new Date(now);
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - count)).toISOString().slice(0, 7);
  const months: string[] = [];
  for (let count = 0; monthsAgo(count) >= timestamp.slice(0, 7); count++) months.push(monthsAgo(count));
  return months;
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null;
}

function without(item: object, ...names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

function withTimestamps(item: Item, ...names: readonly string[]): Item {
  const toTimestamp = (name: string, value: unknown) =>
    names.includes(name) && typeof value === "number" ? new Date(value).toISOString() : value;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toTimestamp(name, value)]));
}
