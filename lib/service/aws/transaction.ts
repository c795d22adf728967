// Transactions and conditional writes with retries: backoff with full jitter on transaction conflicts, and on failures after which
// a transaction may have been committed.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  type DynamoDBServiceException,
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
 * A transaction is repeated after a failure with an unknown outcome unless this much time has passed, in milliseconds. It is longer
 * than the SDK's own three attempts without a response.
 */
const MAX_REPEAT_MS = 20_000;
const REPEAT_BACKOFF_MS = 500;

/**
 * Writes all items or none, with retries on conflicts, and on failures after which the write may have been committed: the idempotency
 * token makes DynamoDB answer a repeated write like the first. Throws `TransactionCanceledException` when a condition fails; see
 * `failedCondition`.
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  const command = new TransactWriteCommand({ TransactItems: [...writes], ClientRequestToken: randomUUID() });
  const startedAt = performance.now();
  for (;;) {
    try {
      await retryConflicts(() => dynamodb().send(command));
      return;
    } catch (error) {
      if (!hasUnknownOutcome(error) || performance.now() - startedAt >= MAX_REPEAT_MS) throw error;
      await pause(Math.random() * REPEAT_BACKOFF_MS);
    }
  }
}

/**
 * Writes `required`, and those of `others` whose conditions hold, in one transaction. Resolves to false, and writes nothing, when the
 * condition of `required` fails.
 */
export async function transactRequired(required: Write, others: readonly Write[]): Promise<boolean> {
  let included = others;
  for (;;) {
    try {
      await transact([required, ...included]);
      return true;
    } catch (thrown) {
      const failed = failedCondition(thrown);
      if (!failed) throw thrown;
      if (failed.index === 0) return false;
      included = included.filter((_, index) => index !== failed.index - 1);
    }
  }
}

/** True for a failure after which a write may have been committed: a time-out, a lost connection, or a fault of DynamoDB. */
export function hasUnknownOutcome(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, $metadata } = error as Partial<DynamoDBServiceException> & NodeJS.ErrnoException;
  const status = $metadata?.httpStatusCode;
  return name === "TimeoutError" || (status === undefined ? LOST_CONNECTIONS.has(code ?? "") : status >= 500);
}

const LOST_CONNECTIONS: ReadonlySet<string> = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"]);

/** Retries a write that conflicts with a transaction, with exponential backoff and full jitter. */
export async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/** Waits after an attempt, which is counted from 1: exponential backoff with full jitter. */
export async function backOff(attempt: number): Promise<void> {
  await pause(Math.random() * Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** attempt));
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
