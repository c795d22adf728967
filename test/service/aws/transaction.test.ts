// Which refusals of a write are conflicts, which are conditions that were not met, and which are repeated.
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  ResourceNotFoundException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { conditionFailed, failedCondition, isConflict, retryConflicts } from "../../../lib/service/aws/transaction.ts";

const facts = { message: "", $metadata: {} };
const conflict = new TransactionConflictException(facts);
const stored = { pk: { S: "x" }, count: { N: "3" } };

/** A transaction that was refused, with the code of each of its writes, or with the reason in full. */
function cancelled(...reasons: (string | CancellationReason)[]) {
  const CancellationReasons = reasons.map((reason) => (typeof reason === "string" ? { Code: reason } : reason));
  return new TransactionCanceledException({ ...facts, CancellationReasons });
}

describe("transaction: a conflict", () => {
  test.each([
    ["a write that met a transaction", conflict],
    ["a transaction that met another write", cancelled("None", "TransactionConflict")],
    ["a transaction of which every write met another", cancelled("TransactionConflict", "TransactionConflict")],
    ["a transaction that came faster than the table grows", cancelled("ThrottlingError", "None")],
    ["a transaction that met too many writes of a partition", cancelled("None", "ProvisionedThroughputExceeded")],
    ["a write that met too many writes of a partition", new ProvisionedThroughputExceededException(facts)],
    ["a write that came faster than the table grows", new ThrottlingException(facts)],
    ["a transaction that the SDK repeated while it was running", new TransactionInProgressException(facts)],
  ])("is %s", (_, error) => {
    expect(isConflict(error)).toBe(true);
  });

  test.each([
    ["a condition that was not met", new ConditionalCheckFailedException(facts)],
    ["a transaction with such a condition", cancelled("ConditionalCheckFailed", "None")],
    [
      "a transaction with such a condition together with a conflict",
      cancelled("TransactionConflict", "ConditionalCheckFailed"),
    ],
    ["a transaction with a write that is not valid", cancelled("ValidationError")],
    ["a transaction without reasons", new TransactionCanceledException(facts)],
    ["a failure of DynamoDB", new InternalServerError(facts)],
    ["an error of another kind by the same name", Object.assign(new Error(), { name: "TransactionConflictException" })],
    ["nothing", undefined],
  ])("is not %s", (_, error) => {
    expect(isConflict(error)).toBe(false);
  });
});

describe("transaction: the failed condition of a transaction", () => {
  test.each([
    ["the first", cancelled("ConditionalCheckFailed", "None"), { index: 0, item: undefined }],
    [
      "that of the third, with the item it was about",
      cancelled("None", "None", { Code: "ConditionalCheckFailed", Item: stored }),
      { index: 2, item: { pk: "x", count: 3 } },
    ],
    [
      "the first of two",
      cancelled({ Code: "ConditionalCheckFailed", Item: stored }, "ConditionalCheckFailed"),
      { index: 0, item: { pk: "x", count: 3 } },
    ],
    [
      "one together with a conflict",
      cancelled("TransactionConflict", "ConditionalCheckFailed"),
      { index: 1, item: undefined },
    ],
  ])("is %s", (_, error, found) => {
    expect(failedCondition(error)).toEqual(found);
  });

  test.each([
    ["transaction: a conflict", cancelled("TransactionConflict", "None")],
    ["no reasons", new TransactionCanceledException(facts)],
    ["a write of its own", new ConditionalCheckFailedException(facts)],
    ["another error", new Error("no")],
  ])("is none in %s", (_, error) => {
    expect(failedCondition(error)).toBeUndefined();
  });
});

describe("transaction: the failed condition of a single write", () => {
  test.each([
    ["comes with its item", new ConditionalCheckFailedException({ ...facts, Item: stored }), { pk: "x", count: 3 }],
    ["comes without, where there is none", new ConditionalCheckFailedException(facts), undefined],
  ])("%s", (_, error, item) => {
    expect(conditionFailed(error)).toEqual({ item });
  });

  test.each([
    ["a transaction", cancelled("ConditionalCheckFailed")],
    ["transaction: a conflict", conflict],
    ["another error", new ResourceNotFoundException(facts)],
  ])("is none in %s", (_, error) => {
    expect(conditionFailed(error)).toBeUndefined();
  });
});

describe("transaction: a write", () => {
  /** A write that fails like this before it succeeds, and counts how often it was tried. */
  function aWrite(...failures: Error[]) {
    const write = Object.assign(
      async () => {
        const failure = failures[write.tries++];
        if (failure) throw failure;
        return "written";
      },
      { tries: 0 },
    );
    return write;
  }

  test("that succeeds is sent once", async () => {
    const write = aWrite();
    expect(await retryConflicts(write)).toBe("written");
    expect(write.tries).toBe(1);
  });

  test("that conflicts is retried until it succeeds", async () => {
    const write = aWrite(conflict, cancelled("TransactionConflict", "None"), cancelled("ThrottlingError"));
    expect(await retryConflicts(write)).toBe("written");
    expect(write.tries).toBe(4);
  });

  test.each([
    ["whose condition is not met", cancelled("ConditionalCheckFailed", "TransactionConflict")],
    ["that DynamoDB fails to make", new InternalServerError(facts)],
    ["that fails otherwise", new RangeError("no")],
  ])("%s is not retried", async (_, error) => {
    const write = aWrite(conflict, error);
    await expect(retryConflicts(write)).rejects.toBe(error);
    expect(write.tries).toBe(2);
  });
});
