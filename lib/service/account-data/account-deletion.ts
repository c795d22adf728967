// The deletion of an account: what is stored of it, and what its owner gets to know.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { Account } from "../account/account.ts";
import { getItem, putItem } from "../aws/items.ts";
import { deletionKey } from "../aws/table-keys.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { DAY_MS } from "../usage/day.ts";
import type { AccountDeletion } from "./responses.ts";

export const DeletionSchema = v.object({
  account_id: v.number(),
  /** Names the account, and can't be guessed. */
  id: v.string(),
  /** Address to which the end is reported; null without one, and once it was. */
  email: v.nullable(v.string()),
  /** When the account was opened, as a timestamp. */
  opened_at: v.string(),
  status: v.picklist(["running", "finishing", "done"]),
  /** Milliseconds since 1970. */
  requested_at: v.number(),
  /** When everything was deleted, in milliseconds since 1970. */
  finished_at: v.nullable(v.number()),
  /** Number of the step that runs or comes next. */
  step: v.number(),
  /** Index of the partitions that are deleted next. */
  position: v.number(),
  /** Captures of the log when the deletion began; undefined until the first step has counted them. */
  total: v.optional(v.number()),
  deleted: v.object({
    captures: v.number(),
    jobs: v.number(),
    results: v.number(),
    api_keys: v.number(),
  }),
});
export type Deletion = v.InferOutput<typeof DeletionSchema>;

/** For how long the owner can see how the deletion ended. In milliseconds. */
const KEPT_MS = 30 * DAY_MS;

/**
 * Stores the deletion of an account that is requested at `now` (milliseconds since 1970). Resolves to the one that is stored: to an
 * earlier one if it hasn't ended.
 */
export async function requestDeletion(table: string, account: Account, now: number): Promise<Deletion> {
  const deletion: Deletion = {
    account_id: account.id,
    id: `${account.id}-${randomBytes(24).toString("base64url")}`,
    email: account.email,
    opened_at: account.created_at,
    status: "running",
    requested_at: now,
    finished_at: null,
    step: 0,
    position: 0,
    deleted: { captures: 0, jobs: 0, results: 0, api_keys: 0 },
  };
  const stored = { ...deletionKey(account.id), ...deletion };
  const isFree = "attribute_not_exists(pk) OR #status = :done";
  const { isChanged, item } = await putItem(table, stored, isFree, { ":done": "done" });
  return isChanged ? deletion : v.parse(DeletionSchema, item);
}

/** Finds the deletion of an account; undefined without one. */
export async function findDeletion(table: string, accountId: number): Promise<Deletion | undefined> {
  const item = await getItem(table, deletionKey(accountId));
  return item && v.parse(DeletionSchema, item);
}

/** The account that the id of a deletion names; undefined for a text that is no such id. */
export function parseDeletionId(id: string): number | undefined {
  const [, accountId] = /^(\d{1,16})-[\w-]{32}$/.exec(id) ?? [];
  return accountId === undefined ? undefined : Number(accountId);
}

/** The fields of a deletion that ends at `now` (milliseconds since 1970). */
export function ended(now: number) {
  return { status: "done", ttl: Math.ceil((now + KEPT_MS) / 1000) };
}

/** What the owner gets to know of a deletion. */
export function describeDeletion(deletion: Deletion): ResponseBody<typeof AccountDeletion> {
  const { id, account_id, status, requested_at, finished_at, total = 0, deleted } = deletion;
  const share = total === 0 ? 0 : Math.min(99, Math.floor((100 * deleted.captures) / total));
  return {
    id,
    account_id,
    status,
    progress: status === "running" ? share : 100,
    requested_at: new Date(requested_at).toISOString(),
    finished_at: finished_at === null ? null : new Date(finished_at).toISOString(),
    deleted,
  };
}
