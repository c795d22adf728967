// Records captures: the log entry in the Activity table and its counters in the Usage table, in one transaction.
import { suspendedMeanwhile } from "../account/suspended-error.ts";
import { itemUpdate } from "../aws/items.ts";
import { hourKey, monthKey } from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { type CaptureEvent, type CaptureLog, createCaptureLog, type LogTime, logTime } from "./capture-log.ts";
import { toLogItem } from "./capture-log-item.ts";
import { lastDayOfMonth } from "./day.ts";
import { dayIncrements, SUSPENDED_ATTRIBUTE } from "./day-counter-item.ts";
import { minuteIncrements } from "./minute-counter-item.ts";
import { KEPT_TTL, ttlSeconds } from "./retention.ts";

const MAX_COLLISIONS = 8;

/** Tables and retention of capture records. */
export interface UsageRecords {
  readonly activity: string;
  readonly usage: string;
  readonly retentionDays: number;
}

/** A capture to record. */
export interface CaptureRecord {
  /** The id derived from the start time. When another capture of the account has it, the next free id is used. */
  readonly preferredId: number;
  /** Unique per capture: makes recording idempotent. */
  readonly attempt: string;
  readonly event: CaptureEvent;
  /** The shard of the account's counters that counts it. @default 0 */
  readonly shard?: number;
  /** Increments of billing counts in the month's item, which is never deleted then. @default none */
  readonly billedIncrements?: Readonly<Record<string, number>>;
  /** Further increments of the month's item. @default none */
  readonly unbilledIncrements?: Readonly<Record<string, number>>;
}

/** An extra item of the transaction. */
export interface TransactionItem {
  readonly write: Write;
  /** Replacement when the condition of `write` fails. @default none: the transaction is repeated without the item */
  readonly otherwise?: Write;
  /** True when nothing may be recorded while its condition fails. */
  readonly isRequired?: boolean;
}

/** Thrown when the condition of a required transaction item fails; nothing was recorded. */
export class NotRecordedError extends Error {}

/**
 * Records a capture: its log entry, its counters and extra transaction items, in one transaction. Idempotent per
 * attempt. Resolves to the id of the log entry. Throws `NotRecordedError`, and `ACCOUNT_SUSPENDED` for a success of an account that was
 * suspended meanwhile.
 */
export async function recordCapture(
  records: UsageRecords,
  { preferredId, attempt, event, ...counting }: CaptureRecord,
  transactionItems: readonly TransactionItem[] = [],
): Promise<number> {
  let id = preferredId;
  let extraItems = transactionItems.map((item) => ({ ...item }));
  for (;;) {
    const timed = { log: createCaptureLog(id, event), time: logTime(id) };
    const own = [
      logWrite(records, timed, attempt),
      monthCounterWrite(records, timed, counting),
      hourCounterWrite(records, timed, counting),
    ];
    try {
      await transact([...own, ...extraItems.map(({ write }) => write)]);
      return id;
    } catch (error) {
      const failed = failedCondition(error);
      const failedItem = failed && extraItems[failed.index - own.length];
      if (failed?.index === LOG_INDEX) {
        if (failed.item?.["attempt"] === attempt) return id;
        if (id - preferredId >= MAX_COLLISIONS) throw error;
        id++;
      } else if (failed?.index === MONTH_INDEX) {
        throw suspendedMeanwhile();
      } else if (failedItem) {
        if (failedItem.isRequired) throw new NotRecordedError();
        extraItems = extraItems.flatMap((each) => (each === failedItem ? toReplacement(each) : [each]));
      } else {
        throw error;
      }
    }
  }
}

/** Returns the replacement of an item whose condition failed, if it has one. */
function toReplacement({ otherwise }: TransactionItem): TransactionItem[] {
  return otherwise ? [{ write: otherwise, isRequired: true }] : [];
}

/** Indices of the log entry and of the month's counter in the transaction. */
const LOG_INDEX = 0;
const MONTH_INDEX = 1;

/** A log entry with the parts of its time, which all of its items have. */
interface TimedLog {
  readonly log: CaptureLog;
  readonly time: LogTime;
}

function logWrite({ activity, retentionDays }: UsageRecords, { log, time }: TimedLog, attempt: string): Write {
  return {
    Put: {
      TableName: activity,
      Item: { ...toLogItem(log, time), attempt, ttl: ttlSeconds(time.date, retentionDays) },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

type Counting = Pick<CaptureRecord, "shard" | "billedIncrements" | "unbilledIncrements">;

/** The item's TTL is that of the last day of its month, unless it has billing counts. A success is not counted once the item is marked. */
function monthCounterWrite(
  { usage, retentionDays }: UsageRecords,
  { log, time: { month, day } }: TimedLog,
  { shard, billedIncrements = {}, unbilledIncrements = {} }: Counting,
): Write {
  const key = monthKey(log.user_id, month, log.api_key_id, shard);
  const isBilled = Object.keys(billedIncrements).length > 0;
  return counterWrite(usage, key, log, {
    counts: { ...dayIncrements(day, log), ...billedIncrements, ...unbilledIncrements },
    ttl: isBilled ? KEPT_TTL : ttlSeconds(lastDayOfMonth(month), retentionDays),
    ttlValue: isBilled ? ":ttl" : "if_not_exists(#ttl, :ttl)",
    ...(log.status === "success" && { condition: `attribute_not_exists(#${SUSPENDED_ATTRIBUTE})` }),
  });
}

function hourCounterWrite({ usage, retentionDays }: UsageRecords, { log, time }: TimedLog, { shard }: Counting): Write {
  const { date, hour, minute } = time;
  const key = hourKey(log.user_id, date, log.api_key_id, hour, shard);
  return counterWrite(usage, key, log, {
    counts: minuteIncrements(minute, log),
    ttl: ttlSeconds(date, retentionDays),
    ttlValue: ":ttl",
  });
}

function counterWrite(
  table: string,
  Key: Readonly<Record<string, string>>,
  { api_key_id }: CaptureLog,
  {
    counts,
    ttl,
    ttlValue,
    condition,
  }: { counts: Readonly<Record<string, number>>; ttl: number; ttlValue: string; condition?: string },
): Write {
  const names = Object.keys(counts);
  const Update = itemUpdate(table, Key, {
    update: `SET api_key_id = :key, #ttl = ${ttlValue} ADD ${names.map((name) => `${name} :${name}`).join(", ")}`,
    condition,
    values: {
      ":key": api_key_id,
      ":ttl": ttl,
      ...Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
    },
  });
  return { Update };
}
