// Writes that several functions make to the same item at once: DynamoDB refuses some of them, which is not a failure.
import { setTimeout as pause } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { dynamodb } from "./clients/dynamodb.ts";

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Waits double from the first to the longest; together they outlast a burst of all requests a minute may have. */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 400;
const ATTEMPTS = 30;

/**
 * Makes all of the writes or none, again for as long as others are in their way. The SDK sends a token along, so that
 * its own repetitions write once. Throws `TransactionCanceledException` when a condition is not met; see `unmet`.
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  await retryConflicts(() => dynamodb().send(new TransactWriteCommand({ TransactItems: [...writes] })));
}

/** Repeats a write that DynamoDB refused because a transaction held its item, after waits that differ at random. */
export async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
      await pause(Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt));
    }
  }
}

/** True for a write that failed only because of others at the same time: no condition of its own was unmet. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return (
    !codes.includes("ConditionalCheckFailed") &&
    codes.some((code) => code === "TransactionConflict" || code === "ThrottlingError")
  );
}

/** An item as it was when a write's condition was not met by it: undefined when there is no such item. */
export interface ConditionFailedError {
  readonly item: Record<string, unknown> | undefined;
}

/**
 * Which write of a transaction has a condition that was not met, by its place, and the item it was about where the write
 * asks for it. Undefined for every other error.
 */
export function failedCondition(error: unknown): (ConditionFailedError & { readonly index: number }) | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === "ConditionalCheckFailed");
  const Item = reasons[index]?.Item;
  return index === -1 ? undefined : { index, item: Item && unmarshall(Item) };
}

/**
 * Makes a write, again for as long as transactions are in its way. Resolves to undefined when it is made, and when its
 * condition is not met to the item, where the write asks for it.
 */
export async function cancellationReason(write: () => Promise<unknown>): Promise<ConditionFailedError | undefined> {
  try {
    await retryConflicts(write);
    return undefined;
  } catch (error) {
    const refused = conditionFailed(error);
    if (!refused) throw error;
    return refused;
  }
}

/** The same as `unmetOf` for a write of its own. */
export function conditionFailed(error: unknown): ConditionFailedError | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return { item: error.Item && unmarshall(error.Item) };
}
