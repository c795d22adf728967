// Concurrency counters in items of the Usage table: how many operations of a kind run now, without an attribute for each.
//
// The item has one number for each minute: the operations that began in it and still run. One that was killed is not
// counted any more once its minute is longer ago than any operation lasts. Each change is one write of a small item without
// a condition on the limit, so that changes do not conflict. A counter that DynamoDB throttles lets operations pass: it protects
// the service from overload, and must not be what fails.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { cleanUp } from "../platform/clean-up.ts";
import { logWarning } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { dynamodb } from "./clients/dynamodb.ts";
import { cancellationReason, isThrottled } from "./transaction.ts";

const BUCKET_MS = 60_000;
const BUCKET = /^b_([0-9a-z]+)$/;

export interface RunningCount {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** How many may run at the same time. */
  readonly limit: number;
  /** Longer than any operation lasts, in milliseconds. */
  readonly maxDurationMs: number;
  /**
   * What happens to an operation whose counter DynamoDB throttles: `refuse` where that is what a flood would bring about.
   * @default pass
   */
  readonly whenThrottled?: "pass" | "refuse";
}

/** An operation that is counted until it is released. */
export interface RunningOperation {
  release(): Promise<void>;
}

/** An operation that is not counted, and so has nothing to release. */
export const uncounted: RunningOperation = { release: async () => undefined };

/**
 * Counts an operation that begins at `now` (milliseconds since 1970). Resolves to undefined when as many run as may. When
 * DynamoDB's answer to a write is lost, the SDK repeats it, and the operation is counted twice until it expires. A write that is
 * throttled, after the SDK's own retries, has counted nothing: the operation passes uncounted.
 */
export async function startOperation(count: RunningCount, now: number): Promise<RunningOperation | undefined> {
  const item = { TableName: count.table, Key: { ...count.key } };
  const bucket = bucketName(now);
  const counted = await unlessThrottled(count, () =>
    dynamodb().send(
      new UpdateCommand({
        ...item,
        UpdateExpression: `ADD ${bucket} :one`,
        ExpressionAttributeValues: { ":one": 1 },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  if (counted === "throttled") return count.whenThrottled === "refuse" ? undefined : uncounted;
  const { Attributes = {} } = counted;
  const operation = {
    /** Does nothing when the minute has expired. A release that is throttled for long is left to that. */
    async release() {
      const command = new UpdateCommand({
        ...item,
        UpdateExpression: `ADD ${bucket} :minus_one`,
        ConditionExpression: `attribute_exists(${bucket})`,
        ExpressionAttributeValues: { ":minus_one": -1 },
      });
      await unlessThrottled(count, () => cancellationReason(() => dynamodb().send(command)));
    },
  };
  const { running, expired } = readBuckets(Attributes, now - count.maxDurationMs);
  if (expired.length > 0) {
    const command = new UpdateCommand({ ...item, UpdateExpression: `REMOVE ${expired.join(", ")}` });
    const remove = () => unlessThrottled(count, () => dynamodb().send(command));
    await cleanUp(remove, "expired operations not removed"); // the next operation removes them
  }
  if (running <= count.limit) return operation;
  await cleanUp(() => operation.release(), "refused operation not released"); // it expires
  return undefined;
}

/** Resolves to `throttled`, and reports it, if DynamoDB refuses the write because its partition gets too many. */
async function unlessThrottled<T>({ key }: RunningCount, write: () => Promise<T>): Promise<T | "throttled"> {
  try {
    return await write();
  } catch (error) {
    if (!isThrottled(error)) throw error;
    logWarning("counter throttled", { partition: key["pk"] });
    emitMetrics({ ThrottledCounters: 1 }, { partition: key["pk"] });
    return "throttled";
  }
}

/** The operations that began at or after the minute of `since`, and the names of the earlier minutes. */
function readBuckets(item: Readonly<Record<string, unknown>>, since: number) {
  const first = Math.floor(since / BUCKET_MS);
  const buckets = Object.entries(item).flatMap(([name, value]) => {
    const minute = Number.parseInt(BUCKET.exec(name)?.[1] ?? "", 36);
    return Number.isNaN(minute) ? [] : [{ name, minute, count: Number(value) }];
  });
  return {
    running: buckets.reduce((sum, { minute, count }) => (minute < first ? sum : sum + count), 0),
    expired: buckets.filter(({ minute }) => minute < first).map(({ name }) => name),
  };
}

function bucketName(time: number): string {
  return `b_${Math.floor(time / BUCKET_MS).toString(36)}`;
}
