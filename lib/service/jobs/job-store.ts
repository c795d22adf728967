// Stores jobs in the Activity table; every state change is a conditional write.
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { deleteItem, getItem, sendUpdate } from "../aws/items.ts";
import { jobKey } from "../aws/table-keys.ts";
import { conditionFailed, retryConflicts } from "../aws/transaction.ts";
import { hasEnded, isJobExpired, JOB_RETENTION_DAYS, type Job, type JobIds } from "./job.ts";
import { readJob, toJobItem } from "./job-item.ts";
import { JobItemSchema } from "./job-schema.ts";
import {
  type CancelledBy,
  claimWrite,
  clearResultWrite,
  type JobLease,
  releaseJobWrite,
  renewLeaseWrite,
  requestCancellationWrite,
  requeueWrite,
  startDeliveryWrite,
  type Update,
} from "./job-writes.ts";

const MAX_COLLISIONS = 8;

/**
 * Stores a new job. When another job of the account has its id, which was created in the same millisecond, it gets the
 * next free one. Resolves to the stored job.
 */
export async function putJob(table: string, job: Job): Promise<Job> {
  for (let id = job.id; ; id++) {
    const stored = { ...job, id };
    const ttl = Math.ceil(Date.parse(job.created_at) / 1000) + JOB_RETENTION_DAYS * 24 * 60 * 60;
    const Item = { ...jobKey(job.account_id, id), ...toJobItem(stored), ttl };
    try {
      const command = new PutCommand({
        TableName: table,
        Item,
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      await retryConflicts(() => dynamodb().send(command));
      return stored;
    } catch (error) {
      const failed = conditionFailed(error);
      if (!failed) throw error;
      if (failed.item && hasReservation(readJob(failed.item), job.outputs[0].allowance.attempt)) return stored;
      if (id - job.id >= MAX_COLLISIONS) throw error;
    }
  }
}

/**
 * True for a job that is stored with this reservation. A write whose answer was lost is sent again by the client,
 * and then refused because of what it has written itself.
 */
function hasReservation({ outputs: [first] }: Pick<Job, "outputs">, reservationId: string): boolean {
  return first.allowance.attempt === reservationId;
}

/** The job of an account, or undefined when there is none at `now` (milliseconds since 1970). */
export async function findJob(table: string, { account_id, id }: JobIds, now: number): Promise<Job | undefined> {
  const item = await getItem(table, jobKey(account_id, id));
  const job = item && readJob(item);
  return job && !isJobExpired(job, now) ? job : undefined;
}

/** Deletes a job whose creation failed before its id was returned. */
export async function removeJob(table: string, { account_id, id }: JobIds): Promise<void> {
  await deleteItem(table, jobKey(account_id, id));
}

/**
 * Result of a claim: acquired (`ours`), held by another worker's lease (`held`), already ended (`over`), or not found.
 */
export type Claim =
  | { readonly state: "ours" | "held" | "over"; readonly job: Job }
  | { readonly state: "missing"; readonly job?: undefined };

/** Claims a job at `now` (milliseconds since 1970): acquires its lease by a conditional write. */
export async function claimJob(table: string, ids: JobIds, claim: { lease: JobLease; now: number }): Promise<Claim> {
  const { job, isChanged } = await changeJob(claimWrite(table, ids, claim));
  if (!job) return { state: "missing" };
  const isOurs = isChanged || job.lease?.holder === claim.lease.holder; // or the SDK retried a write that had succeeded
  if (isOurs) return { state: "ours", job };
  return { state: hasEnded(job) ? "over" : "held", job };
}

/** Heartbeat: extends the lease of a job. Resolves to false when another worker holds the job, or it has ended. */
export async function renewJobLease(table: string, ids: JobIds, lease: JobLease): Promise<boolean> {
  return (await changeJob(renewLeaseWrite(table, ids, lease))).isChanged;
}

/**
 * Releases the lease and returns the job to `queued`. Does nothing when `holder` does not hold it. Resolves to the stored job.
 */
export async function releaseJob(
  table: string,
  ids: JobIds,
  release: { readonly holder: string; readonly isInterrupted: boolean },
): Promise<Job | undefined> {
  return (await changeJob(releaseJobWrite(table, ids, release))).job;
}

/**
 * Marks a job that is being processed as to be cancelled, at `now` (milliseconds since 1970). Resolves to the marked job, or to
 * undefined when it is not being processed any more, or its result is being delivered.
 */
export async function requestCancellation(
  table: string,
  ids: JobIds,
  { now, by }: { readonly now: number; readonly by: CancelledBy },
): Promise<Job | undefined> {
  const at = new Date(now).toISOString();
  const { job, isChanged } = await changeJob(requestCancellationWrite(table, ids, { at, by }));
  return isChanged ? job : undefined;
}

/** Marks that the holder of a job begins to deliver a result. Resolves to the stored job, and whether it is marked. */
export function startDelivery(
  table: string,
  ids: JobIds,
  holder: string,
): Promise<{ readonly job: Job | undefined; readonly isChanged: boolean }> {
  return changeJob(startDeliveryWrite(table, ids, { holder, at: new Date().toISOString() }));
}

/** Returns who has cancelled a job, undefined for one that is not to be cancelled: a strongly consistent read, which costs one read unit. */
export async function findCancellation(
  table: string,
  { account_id, id }: JobIds,
): Promise<Pick<Job, "cancelled_by"> | undefined> {
  const command = new GetCommand({
    TableName: table,
    Key: jobKey(account_id, id),
    ConsistentRead: true,
    ProjectionExpression: "cancel_requested_at, cancelled_by",
  });
  const { Item } = await dynamodb().send(command);
  if (typeof Item?.["cancel_requested_at"] !== "string") return undefined;
  return v.parse(v.pick(JobItemSchema, ["cancelled_by"]), Item);
}

/**
 * Requeues a failed job with a new, unique reservation id. Resolves to false when it has not failed, or has changed since
 * it was read.
 */
export async function requeueJob(table: string, job: Job, reservationId: string): Promise<boolean> {
  const { job: stored, isChanged } = await changeJob(requeueWrite(table, job, reservationId));
  return isChanged || (stored !== undefined && hasReservation(stored, reservationId));
}

/** Marks the stored result of an output, by its index, as deleted. Does nothing without a result. */
export async function clearResult(table: string, job: Job, index: number): Promise<void> {
  await changeJob(clearResultWrite(table, job, index));
}

/** Applies a conditional write. Resolves to the stored job, and whether the write changed it. */
async function changeJob(update: Update): Promise<{ readonly job: Job | undefined; readonly isChanged: boolean }> {
  const { isChanged, item } = await sendUpdate(update);
  return { job: item && readJob(item), isChanged };
}
