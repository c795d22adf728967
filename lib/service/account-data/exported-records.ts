// The records of an export of all data of an account: what each item shows its owner, without secrets.
import type { ApiKey } from "../account/account.ts";
import { isItem, type TableItem } from "../aws/partition-pages.ts";
import type { Receiver } from "../receivers/receiver.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";

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

export function exportedKey(key: ApiKey): ExportedRecord {
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
  return { kind: "api_key", ...facts, monthly_limit, previous_texts };
}

export function exportedReceiver(receiver: Receiver): ExportedRecord {
  const facts = without(receiver, "account_id", "ttl");
  return { kind: "webhook_receiver", ...withTimestamps(facts, "resumed_at", "replayed_at") };
}

export function exportedSession(session: TableItem): ExportedRecord {
  const facts = without(session, "pk", "sk", "ttl", "api_key_hash", "account_id", "address_proof");
  return { kind: "session", ...withTimestamps(facts, "created_at", "last_used_at", "expires_at") };
}

export function exportedDelivery(delivery: TableItem): ExportedRecord {
  return { kind: "webhook_delivery", ...without(delivery, "pk", "sk", "ttl") };
}

/** A log of the list, with its details, and without the keys of stored objects: one would be that of a link. */
export function exportedCapture(item: TableItem): ExportedRecord {
  const { details } = item;
  const log = without(fromLogItem(item), "thumbnail");
  return { kind: "capture", ...log, ...(isItem(details) && without(details, "result", "report")) };
}

export function exportedJob(job: TableItem): ExportedRecord {
  const { id, status, created_at, finished_at, external_identifier, error, webhook, request } = job;
  const { url, format, options, source_ip, outputs } = isItem(request) ? request : {};
  const { url: address, receiver_id, status: state, deliveries } = isItem(webhook) ? webhook : {};
  const requested = { url, format, options, ip_address: source_ip };
  const facts = { id, status, created_at, finished_at, external_identifier, error, ...requested };
  return {
    kind: "job",
    ...facts,
    ...(Array.isArray(outputs) && {
      outputs: outputs.map((output, index) => exportedOutput(output, job["outputs"], index)),
    }),
    webhook: webhook ? { url: address, receiver_id, status: state, deliveries } : null,
  };
}

/** An output of a job, with its outcome if it has ended. */
function exportedOutput(output: unknown, outcomes: unknown, index: number): TableItem {
  const { name, format, options } = isItem(output) ? output : {};
  const outcome: unknown = Array.isArray(outcomes) ? outcomes[index] : undefined;
  const { status, error } = isItem(outcome) ? outcome : {};
  return { name, format, options, status, error };
}

function without(item: object, ...names: readonly string[]): TableItem {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

function withTimestamps(item: TableItem, ...names: readonly string[]): TableItem {
  const toTimestamp = (name: string, value: unknown) =>
    names.includes(name) && typeof value === "number" ? new Date(value).toISOString() : value;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toTimestamp(name, value)]));
}
