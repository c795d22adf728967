// Logs in the Activity table and their counters in the Usage table, written together or not at all.
import { hourKey, logKey, monthKey } from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { type CaptureEvent, type CaptureLog, createCaptureLog, logTime } from "./capture-log.ts";
import { lastDayOfMonth } from "./day.ts";
import { minuteIncrements } from "./hour-counter.ts";
import { dayIncrements } from "./month-counter.ts";
import { ttlSeconds } from "./retention.ts";

const MAX_COLLISIONS = 8;

/** Where captures are recorded, and for how many days. */
export interface UsageRecords {
  readonly activity: string;
  readonly usage: string;
  readonly retentionDays: number;
}

/** A capture as it is recorded. */
export interface CaptureRecord {
  /** Another capture of the same account can have it, which began in the same millisecond; the next free one is used then. */
  readonly preferredId: number;
  /** Unlike that of every other capture, so that one that is recorded twice is counted once. */
  readonly attempt: string;
  readonly event: CaptureEvent;
}

/** Another write of the same transaction. */
export interface TransactionItem {
  readonly write: Write;
  /**
   * The write in its place when its condition is not met.
   * @default none: without it the others are made all the same
   */
  readonly otherwise?: Write;
  /** True when nothing at all is to be written while its condition is not met. */
  readonly isRequired?: boolean;
}

/** Nothing was recorded, because the condition of a required companion is not met. */
export class NotRecordedError extends Error {}

/**
 * Writes the log of a capture, its counters and companions in one transaction, so that no crash leaves them apart.
 * Resolves to the id of the log. A capture that is recorded already stays as it is. Throws `NotRecorded`.
 */
export async function recordCapture(
  records: UsageRecords,
  { preferredId, attempt, event }: CaptureRecord,
  companions: readonly TransactionItem[] = [],
): Promise<number> {
  let id = preferredId;
  let accompanying = companions.map((companion) => ({ ...companion }));
  for (;;) {
    const log = createCaptureLog(id, event);
    const own = [logging(records, log, attempt), monthCounting(records, log), hourCounting(records, log)];
    try {
      await transact([...own, ...accompanying.map(({ write }) => write)]);
      return id;
    } catch (error) {
      const unmet = failedCondition(error);
      const companion = unmet && accompanying[unmet.index - own.length];
      if (unmet?.index === LOG) {
        if (unmet.item?.["attempt"] === attempt) return id;
        if (id - preferredId >= MAX_COLLISIONS) throw error;
        id++;
      } else if (companion) {
        if (companion.isRequired) throw new NotRecordedError();
        accompanying = accompanying.flatMap((each) => (each === companion ? withoutCondition(each) : [each]));
      } else {
        throw error;
      }
    }
  }
}

/** What is left of a companion whose condition is not met. */
function withoutCondition({ otherwise }: TransactionItem): TransactionItem[] {
  return otherwise ? [{ write: otherwise, isRequired: true }] : [];
}

/** Place of the log in the transaction. */
const LOG = 0;

function logging({ activity, retentionDays }: UsageRecords, log: CaptureLog, attempt: string): Write {
  const { month, date } = logTime(log.id);
  return {
    Put: {
      TableName: activity,
      Item: { ...logKey(log.user_id, month, log.id), ...log, attempt, ttl: ttlSeconds(date, retentionDays) },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** The item stays as long as the last day of its month may have to. */
function monthCounting({ usage, retentionDays }: UsageRecords, log: CaptureLog): Write {
  const { month, day } = logTime(log.id);
  const key = monthKey(log.user_id, month, log.api_key_id);
  return counting(usage, key, log, {
    counts: dayIncrements(day, log),
    ttl: ttlSeconds(lastDayOfMonth(month), retentionDays),
  });
}

function hourCounting({ usage, retentionDays }: UsageRecords, log: CaptureLog): Write {
  const { date, hour, minute } = logTime(log.id);
  const key = hourKey(log.user_id, date, log.api_key_id, hour);
  return counting(usage, key, log, { counts: minuteIncrements(minute, log), ttl: ttlSeconds(date, retentionDays) });
}

function counting(
  table: string,
  Key: Readonly<Record<string, string>>,
  { api_key_id }: CaptureLog,
  { counts, ttl }: { counts: Readonly<Record<string, number>>; ttl: number },
): Write {
  const names = Object.keys(counts);
  return {
    Update: {
      TableName: table,
      Key,
      UpdateExpression: `SET api_key_id = :key, #ttl = :ttl ADD ${names.map((name) => `${name} :${name}`).join(", ")}`,
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":key": api_key_id,
        ":ttl": ttl,
        ...Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
      },
    },
  };
}
