// A model of what DynamoDB does to concurrent writes, in front of the local engine, which makes one write after the other.
//
// Conflicts: DynamoDB cancels a transaction if an operation is updating one of its items, and rejects a write of an item that a
// running transaction updates. Writes without transactions wait for each other, and reads are not affected.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
//
// Throughput: a partition takes 1,000 write units a second. All items with one partition key are taken to be in one partition;
// DynamoDB may split them, so this is the worst case. What it refuses for a conflict is charged like what it does.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
import { setTimeout } from "node:timers/promises";
import {
  type CancellationReason,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

const PARTITION_UNITS_PER_SECOND = 1_000;

export interface ContentionOptions {
  /** For how long a transaction and a write update their items, in milliseconds. */
  readonly transactionMs: number;
  readonly writeMs: number;
  /** Write units that a partition takes in a second. Default: those of DynamoDB. */
  readonly partitionUnits?: number;
  /** The time of the model in milliseconds. */
  now(): number;
}

export interface Contention {
  /** Write units, of refused operations, too. */
  readonly units: number;
  readonly conflicts: number;
  readonly throttled: number;
  /** Write units of the busiest second of a partition key, by the first part of its name. */
  readonly busiest: ReadonlyMap<string, number>;
  stop(): void;
}

/** Items as their keys. */
interface Operation {
  readonly isTransaction: boolean;
  readonly items: readonly string[];
}

/** Adds the model to the client of this process, until it is stopped. */
export function startContention(client: DynamoDBDocumentClient, options: ContentionOptions): Contention {
  const { partitionUnits = PARTITION_UNITS_PER_SECOND } = options;
  const inTransaction = new Set<string>();
  const beingWritten = new Map<string, number>();
  const partitions = new Map<string, { second: number; units: number }>();
  const figures = { units: 0, conflicts: 0, throttled: 0, busiest: new Map<string, number>() };

  const isUpdated = (item: string, { isTransaction }: Operation) =>
    inTransaction.has(item) || (isTransaction && beingWritten.has(item));

  /** Charges a partition. Returns false, and charges nothing, when it has taken its units of this second. */
  function charge(item: string, units: number): boolean {
    const partition = item.slice(0, item.indexOf(" "));
    const second = Math.floor(options.now() / 1000);
    const last = partitions.get(partition);
    const used = (last?.second === second ? last.units : 0) + units;
    if (used > partitionUnits) return false;
    figures.units += units;
    partitions.set(partition, { second, units: used });
    const kind = partition.slice(0, partition.indexOf("#"));
    figures.busiest.set(kind, Math.max(figures.busiest.get(kind) ?? 0, used));
    return true;
  }

  function hold({ isTransaction, items }: Operation): () => void {
    for (const item of items) {
      if (isTransaction) inTransaction.add(item);
      else beingWritten.set(item, (beingWritten.get(item) ?? 0) + 1);
    }
    return () => {
      for (const item of items) {
        const others = (beingWritten.get(item) ?? 1) - 1;
        if (isTransaction) inTransaction.delete(item);
        else if (others === 0) beingWritten.delete(item);
        else beingWritten.set(item, others);
      }
    };
  }

  client.middlewareStack.add(
    (next) => async (args) => {
      const operation = operationOf(args.input);
      if (!operation) return next(args);
      const { isTransaction, items } = operation;
      const holdMs = isTransaction ? options.transactionMs : options.writeMs;
      const conflicting = items.map((item) => isUpdated(item, operation));
      const full = items.map((item) => !charge(item, isTransaction ? 2 : 1));
      if (conflicting.includes(true)) {
        figures.conflicts++;
        await setTimeout(holdMs / 2);
        throw refusal(operation, conflicting, "TransactionConflict");
      }
      if (full.includes(true)) {
        figures.throttled++;
        await setTimeout(holdMs / 2);
        throw refusal(operation, full, "ProvisionedThroughputExceeded");
      }
      // Released after the time of the model, however long the engine takes.
      const held = setTimeout(holdMs).then(hold(operation));
      const input = { ...args.input, ReturnConsumedCapacity: "TOTAL" };
      const [answer] = await Promise.all([next({ ...args, input }), held]);
      figures.units += consumedUnits(answer.output) - items.length * (isTransaction ? 2 : 1);
      return answer;
    },
    { step: "initialize", name: NAME, priority: "high" },
  );
  return Object.assign(figures, { stop: () => void client.middlewareStack.remove(NAME) });
}

const NAME = "contention";

/** The items that a request updates; undefined for a read. */
function operationOf(input: object): Operation | undefined {
  const { TransactItems, ...single } = input as Record<string, unknown> & { TransactItems?: readonly object[] };
  if (TransactItems) {
    const items = TransactItems.map((item) => itemOf(Object.values(item)[0] as Record<string, unknown>));
    return { isTransaction: true, items };
  }
  const isWrite = "Item" in single || "UpdateExpression" in single;
  return isWrite ? { isTransaction: false, items: [itemOf(single)] } : undefined;
}

function itemOf(write: Readonly<Record<string, unknown>>): string {
  const { pk, sk } = (write["Key"] ?? write["Item"]) as { pk: string; sk: string };
  return `${pk} ${sk}`;
}

function refusal({ isTransaction }: Operation, failed: readonly boolean[], code: string) {
  const facts = { message: `The model refuses it: ${code}.`, $metadata: {} };
  if (!isTransaction) {
    const isConflict = code === "TransactionConflict";
    return isConflict ? new TransactionConflictException(facts) : new ProvisionedThroughputExceededException(facts);
  }
  const CancellationReasons = failed.map((isOf): CancellationReason => ({ Code: isOf ? code : "None" }));
  return new TransactionCanceledException({ ...facts, CancellationReasons });
}

function consumedUnits(output: object): number {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Consumed | readonly Consumed[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

interface Consumed {
  readonly CapacityUnits?: number;
}
