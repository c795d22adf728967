// What is deleted with an account: its partitions in the order of their deletion, and the objects that their items refer to.

import * as v from "valibot";
import { plans } from "../../contract/plans.ts";
import { limitBounds } from "../account/limits.ts";
import { isItem, type TableItem } from "../aws/partition-pages.ts";
import {
  accountPartitions,
  addressUndoPartition,
  exportsPartition,
  jobSlotsKey,
  jobsPartition,
  logPartition,
  receiverSecretsPartition,
  receiversPartition,
  responsesPartition,
  resultReferencesPartition,
  sessionsPartition,
  signInReportsPartition,
} from "../aws/table-keys.ts";
import { slotShards } from "../jobs/slot-store.ts";
import { idTime } from "../platform/ids.ts";
import { lifetimeClasses } from "../results/lifetime-class.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import { answeredObject, answerObject } from "../results/stored-answer.ts";
import { objectKeys } from "../results/stored-capture.ts";
import { DAY_MS, monthsBetween } from "../usage/day.ts";
import { loggedObjects } from "../usage/logged-objects.ts";
import type { Deletion } from "./account-deletion.ts";
import { DataExportSchema } from "./data-export.ts";
import { abortUpload } from "./export-file.ts";

/** The tables and the bucket that hold the data of accounts. */
export interface AccountStorage {
  readonly accounts: string;
  readonly usage: string;
  readonly activity: string;
  readonly results: string;
}

/** Partitions that are deleted side by side. */
export interface DeletedPartitions {
  readonly table: string;
  readonly partitions: readonly string[];
  /** As what their items count. */
  readonly counted?: "captures" | "jobs";
  /** Keys of the objects that an item refers to, at `now` (milliseconds since 1970). */
  readonly objectsOf?: (item: TableItem, now: number) => Promise<readonly string[]> | readonly string[];
}

/**
 * The partitions of an account, except that of the account itself with its keys: sessions first, then what lets work start, and
 * counters last.
 */
export function deletedPartitions(
  { accounts, usage, activity, results }: AccountStorage,
  { account_id: id, opened_at }: Pick<Deletion, "account_id" | "opened_at">,
  now: number,
): DeletedPartitions[] {
  const others = accountPartitions(id);
  const ofAccounts = [
    sessionsPartition,
    addressUndoPartition,
    signInReportsPartition,
    receiverSecretsPartition,
    receiversPartition,
  ].map((partition) => partition(id));
  return [
    { table: accounts, partitions: ofAccounts },
    {
      table: activity,
      partitions: [jobsPartition(id)],
      counted: "jobs",
      objectsOf: (item) => storedObjects(results, item),
    },
    ...[...monthsBetween(Date.parse(opened_at), now)].map((month) => ({
      table: activity,
      partitions: [logPartition(id, month)],
      counted: "captures" as const,
      objectsOf: logObjects,
    })),
    {
      table: activity,
      partitions: others.activity,
      objectsOf: (item) => (readersOf(id)[String(item["pk"])] ?? storedObjects)(results, item),
    },
    { table: usage, partitions: [...others.usage, ...slotShardPartitions(id)] },
  ];
}

type ObjectReader = (bucket: string, item: TableItem) => Promise<readonly string[]> | readonly string[];

/** What reads the objects of the partitions whose items refer to them in a form of their own. */
function readersOf(accountId: number): Readonly<Record<string, ObjectReader>> {
  return {
    [exportsPartition(accountId)]: exportObjects,
    [responsesPartition(accountId)]: answerObjects,
    [resultReferencesPartition(accountId)]: referencedObjects,
  };
}

/** The body of a stored response, also that of one that a request is about to store. */
function answerObjects(_: string, { holder, outcome }: TableItem): readonly string[] {
  const object = typeof outcome === "string" ? answeredObject(outcome) : undefined;
  return [...(typeof holder === "string" ? [answerObject({ holder })] : []), ...(object === undefined ? [] : [object])];
}

/** The object with the metadata of a shared result, also once its cache entry was replaced. The log has the result itself. */
function referencedObjects(_: string, { cached_facts }: TableItem): readonly string[] {
  return typeof cached_facts === "string" ? [cached_facts] : [];
}

/** An account can have had a plan with more shards than any has today, or a limit that the operator had set. */
const MIN_SLOT_SHARDS = slotShards({ requestsPerMinute: limitBounds.requests_per_minute.maximum });

/** The partitions of the further shards of an account's slots. */
function slotShardPartitions(accountId: number): string[] {
  const shards = Math.max(...Object.values(plans).map(slotShards), MIN_SLOT_SHARDS);
  return Array.from({ length: shards - 1 }, (_, index) => jobSlotsKey(accountId, index + 1).pk);
}

/** Objects of results are gone by their lifetime after this, which is a day longer than the longest. In milliseconds. */
const OBJECT_LIFETIME_MS = (Math.max(...lifetimeClasses.map(({ days }) => days)) + 2) * DAY_MS;

/** The objects that a log refers to; none for an old one, whose objects have expired. */
function logObjects(item: TableItem, now: number): readonly string[] {
  const isOld = idTime(Number(item["sk"])) + OBJECT_LIFETIME_MS < now;
  return isOld ? [] : loggedObjects(item);
}

/** Keys of the objects that a job or a cache entry refers to. */
async function storedObjects(bucket: string, { result, outputs, capture }: TableItem): Promise<readonly string[]> {
  const results = [
    result,
    ...(Array.isArray(outputs) ? outputs.map((output) => isItem(output) && output["result"]) : []),
  ];
  const packed = [capture, ...results.map((each) => isItem(each) && each["stored"])].filter(isItem);
  return (await Promise.all(packed.map((each) => packedObjects(bucket, each)))).flat();
}

async function packedObjects(bucket: string, packed: TableItem): Promise<readonly string[]> {
  const stored = await unpackCapture(bucket, packed);
  const facts = typeof packed["object"] === "string" ? [packed["object"]] : [];
  return stored ? [...objectKeys(stored), ...facts] : facts;
}

/** The file of an export. What is uploaded of one that isn't ready is given up. */
async function exportObjects(bucket: string, item: TableItem): Promise<readonly string[]> {
  const parsed = v.safeParse(DataExportSchema, item);
  if (!parsed.success) return [];
  const { file, status } = parsed.output;
  if (status !== "ready") await abortUpload(bucket, file);
  return [file.key, ...(file.rest === undefined ? [] : [file.rest])];
}
