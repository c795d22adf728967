// The audit log: what operators have changed, by page or by command, and which pictures of customers they have seen. An entry is put
// once, in the transaction of its change. Nothing changes or deletes one; `docs/security.md` says what roles could do.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { putItem } from "../aws/items.ts";
import { auditKey, auditPartition } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { logInfo } from "../platform/log.ts";
import { monthlyPages, readMonthlyPage } from "./monthly-pages.ts";

/** What an operator can do that is in the audit log. */
export const auditActions = [
  "operator.signed_in",
  "operator.secret_created",
  "operator.secret_rotated",
  "account.created",
  "account.plan_changed",
  "account.suspended",
  "account.resumed",
  "account.limits_changed",
  "account.address_changed",
  "account.sign_in_link_sent",
  "account.sign_in_link_printed",
  "account.exported",
  "account.deleted",
  "account.restored",
  "invoice.payment_recorded",
  "accounts.indexed",
  "key.created",
  "key.changed",
  "key.revoked",
  "key.rotated",
  "link_secret.rotated",
  "trials.paused",
  "trials.resumed",
  "jobs.retried",
  "webhooks.retried",
  "event.sent_again",
  "picture.viewed",
  "incident.opened",
  "incident.updated",
  "incident.closed",
] as const;
export type AuditAction = (typeof auditActions)[number];

export const AuditEntrySchema = v.object({
  /** When, in UTC with milliseconds. */
  at: v.string(),
  /** Random, so that two entries of a millisecond are two. */
  id: v.string(),
  /** Address of the operator; for a command, and a session that a link began, `user@host`. */
  operator: v.string(),
  /** Network address of the browser; for a command, the name of the host. */
  from: v.string(),
  action: v.string(),
  account_id: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
});
export type AuditEntry = v.InferOutput<typeof AuditEntrySchema>;

/** Who does something, and from where. */
export type AuditActor = Pick<AuditEntry, "operator" | "from">;

/** What an operator does. */
export interface AuditedAction {
  readonly action: AuditAction;
  readonly account_id?: number;
  readonly reason?: string | undefined;
  readonly details?: AuditEntry["details"];
}

/** The entry of an action at `now` (milliseconds since 1970). */
export function auditEntry(
  { operator, from }: AuditActor,
  { action, account_id, reason, details = {} }: AuditedAction,
  now: number,
): AuditEntry {
  return {
    at: new Date(now).toISOString(),
    id: randomBytes(9).toString("base64url"),
    operator,
    from,
    action,
    account_id: account_id ?? null,
    reason: reason ?? null,
    details,
  };
}

/** The write that adds an entry, for the transaction of the change that it tells of. Log it with `logAudit` once that is stored. */
export function auditWrite(activityTable: string, entry: AuditEntry): Write {
  const Item = { ...auditKey(entry.at, entry.id), ...entry };
  return { Put: { TableName: activityTable, Item, ConditionExpression: NEW } };
}

/** Adds an entry of what is no change in a table, or one of many steps. */
export async function storeAudit(activityTable: string, entry: AuditEntry): Promise<void> {
  const { isChanged } = await putItem(activityTable, { ...auditKey(entry.at, entry.id), ...entry }, NEW);
  if (!isChanged) throw new Error(`The audit log has an entry ${entry.id} of ${entry.at} already.`);
}

const NEW = "attribute_not_exists(pk)";

/** Logs an entry as one line, `audit`. */
export function logAudit({ details, ...entry }: AuditEntry): void {
  logInfo("audit", { ...entry, details: JSON.stringify(details) });
}

/** Before the first version with an audit log. In milliseconds since 1970. */
const FIRST_ENTRY = Date.UTC(2026, 0);

/** The position of an entry in the log, before which a list goes on. */
export function auditPosition({ at, id }: Pick<AuditEntry, "at" | "id">): string {
  return auditKey(at, id).sk;
}

export interface AuditRange {
  /** Position of the entry that precedes the first one. @default the newest entry is the first one */
  readonly before?: string | undefined;
  /** Maximum of entries of a page. */
  readonly pageSize: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const auditList = (table: string) => ({ table, partition: auditPartition, first: FIRST_ENTRY });
const monthlyRange = ({ before, pageSize, now }: AuditRange) => ({
  before,
  pageSize,
  newest: before === undefined ? now : Date.parse(before.split("#", 1)[0] ?? ""),
});
const toEntry = (item: unknown) => v.parse(AuditEntrySchema, item);

/** Yields the entries, newest first, page by page. */
export async function* auditPages(activityTable: string, range: AuditRange): AsyncGenerator<readonly AuditEntry[]> {
  for await (const items of monthlyPages(auditList(activityTable), monthlyRange(range))) yield items.map(toEntry);
}

/** Reads a page of entries: `next` is the position before which the list goes on; undefined at its end. */
export async function readAudit(
  activityTable: string,
  range: AuditRange,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | undefined }> {
  const { items, hasMore } = await readMonthlyPage(auditList(activityTable), monthlyRange(range));
  const entries = items.map(toEntry);
  const last = entries.at(-1);
  return { entries, next: last && hasMore ? auditPosition(last) : undefined };
}
