// Transactions and conditional writes with retries: backoff with full jitter on transaction conflicts.
import { setTimeout as pause } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { dynamodb } from "./clients/dynamodb.ts";

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * Exponential backoff between these bounds. All attempts together take about 12 seconds: they outlast a burst of all requests of a
 * minute, and end before the client of a short request gives up.
 */
const MIN_BACKOFF_MS = 10;
const MAX_BACKOFF_MS = 400;
const MAX_ATTEMPTS = 60;

/**
 * Writes all items or none, with retries on conflicts. The SDK adds an idempotency token for its own retries. Throws
 * `TransactionCanceledException` when a condition fails; see `failedCondition`.
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  await retryConflicts(() => dynamodb().send(new TransactWriteCommand({ TransactItems: [...writes] })));
}

/** Retries a write that conflicts with a transaction, with exponential backoff and full jitter. */
export async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_ATTEMPTS) throw error;
      await pause(Math.random() * Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** attempt));
    }
  }
}

/** True for a write that failed because of concurrent writes only, or of too many, not because of its own condition. */
export function isConflict(error: unknown): boolean {
  if (conflicts.some((conflict) => error instanceof conflict)) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return !codes.includes("ConditionalCheckFailed") && codes.some((code) => code !== undefined && TRANSIENT.has(code));
}

/** Errors of a write that DynamoDB refuses because a partition, or the table, gets too many. */
const throttlings = [ProvisionedThroughputExceededException, ThrottlingException, RequestLimitExceeded];

/** True for a single write that DynamoDB throttled, and so did not do. */
export function isThrottled(error: unknown): boolean {
  return throttlings.some((throttling) => error instanceof throttling);
}

const conflicts = [TransactionConflictException, TransactionInProgressException, ...throttlings];

/** Reasons for which DynamoDB cancels a transaction that succeeds later. */
const TRANSIENT: ReadonlySet<string> = new Set([
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/** A failed condition, with the item that failed it; undefined when there is no such item. */
export interface ConditionFailedError {
  readonly item: Record<string, unknown> | undefined;
}

/**
 * The index of the write of a transaction whose condition failed, and its item if the write requests it. Undefined for any
 * other error.
 */
export function failedCondition(error: unknown): (ConditionFailedError & { readonly index: number }) | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === "ConditionalCheckFailed");
  const Item = reasons[index]?.Item;
  return index === -1 ? undefined : { index, item: Item && unmarshall(Item) };
}

/**
 * Writes with retries on conflicts. Resolves to undefined on success, and to the failed condition, with the item if the write
 * requests it.
 */
export async function cancellationReason(write: () => Promise<unknown>): Promise<ConditionFailedError | undefined> {
  try {
    await retryConflicts(write);
    return undefined;
  } catch (error) {
    const failed = conditionFailed(error);
    if (!failed) throw error;
    return failed;
  }
}

/** The failed condition of a single write. Undefined for any other error. */
export function conditionFailed(error: unknown): ConditionFailedError | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return { item: error.Item && unmarshall(error.Item) };
}
