// Logs in the Activity table and their counters in the Usage table, written together or not at all.
import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { createId } from "../contract/ids.ts";
import type { UsageFilter } from "../contract/usage-options.ts";
import { dynamodb } from "../platform/clients.ts";
import { AFTER_ALL, hourKey, logKey, logPartition, monthKey, monthsPartition } from "../platform/table-keys.ts";
import { transact, unmetOf, type Write } from "../platform/transaction.ts";
import { type CaptureEvent, type CaptureLog, CaptureLogSchema, createCaptureLog, momentOf } from "./capture-log.ts";
import type { DayCounter } from "./day-counter.ts";
import { minuteCounts } from "./hour-counter.ts";
import { dayCountersOf, dayCounts } from "./month-counter.ts";

const MAX_COLLISIONS = 8;
const RETENTION_DAYS = 400;
const DAY_S = 24 * 60 * 60;

/** When a log and its counters may be swept, in seconds since 1970. */
function expiryOf({ id }: CaptureLog): number {
  return Math.floor(Date.parse(momentOf(id).date) / 1000) + RETENTION_DAYS * DAY_S;
}

/** A capture as it is recorded. */
export interface Recording {
  /** Another capture of the same account can have it, which began in the same millisecond; the next free one is used then. */
  readonly wantedId: number;
  /** Unlike that of every other capture, so that one that is recorded twice is counted once. */
  readonly attempt: string;
  readonly event: CaptureEvent;
}

/** Another write of the same transaction, and the one in its place when its own condition is not met. */
interface Companion {
  readonly write: Write;
  readonly otherwise?: Write;
}

/**
 * Writes the log of a capture, its counters and a companion in one transaction, so that no crash leaves them apart.
 * Resolves to the id of the log. A capture that is recorded already stays as it is.
 */
export async function recordCapture(
  tables: { activity: string; usage: string },
  { wantedId, attempt, event }: Recording,
  companion?: Companion,
): Promise<number> {
  let id = wantedId;
  let accompanied = companion?.write;
  for (;;) {
    const log = createCaptureLog(id, event);
    const counters = [monthCounting(tables.usage, log), hourCounting(tables.usage, log)];
    try {
      await transact([logging(tables.activity, log, attempt), ...counters, ...(accompanied ? [accompanied] : [])]);
      return id;
    } catch (error) {
      const unmet = unmetOf(error);
      if (unmet?.index === LOG) {
        if (unmet.item?.attempt === attempt) return id;
        if (id - wantedId >= MAX_COLLISIONS) throw error;
        id++;
      } else if (unmet && accompanied && accompanied !== companion?.otherwise) {
        accompanied = companion?.otherwise;
      } else {
        throw error;
      }
    }
  }
}

/** Place of the log in the transaction. */
const LOG = 0;

function logging(table: string, log: CaptureLog, attempt: string): Write {
  const { month } = momentOf(log.id);
  return {
    Put: {
      TableName: table,
      Item: { ...logKey(log.user_id, month, log.id), ...log, attempt, ttl: expiryOf(log) },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

function monthCounting(table: string, log: CaptureLog): Write {
  const { month, day } = momentOf(log.id);
  const key = monthKey(log.user_id, month, log.api_key_id);
  return counting(table, key, log, dayCounts(day, log));
}

function hourCounting(table: string, log: CaptureLog): Write {
  const { date, hour, minute } = momentOf(log.id);
  const key = hourKey(log.user_id, date, log.api_key_id, hour);
  return counting(table, key, log, minuteCounts(minute, log));
}

function counting(table: string, Key: object, log: CaptureLog, counts: Readonly<Record<string, number>>): Write {
  const names = Object.keys(counts);
  return {
    Update: {
      TableName: table,
      Key: { ...Key },
      UpdateExpression: `SET api_key_id = :key, #ttl = :ttl ADD ${names.map((name) => `${name} :${name}`).join(", ")}`,
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":key": log.api_key_id,
        ":ttl": expiryOf(log),
        ...Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
      },
    },
  };
}

/** The counters of an account from one UTC day to another, both included; without bounds all that are kept. */
export async function queryDayCounters(
  table: string,
  accountId: number,
  { from = "0000-00-00", to = "9999-12-31" }: { from?: string | undefined; to?: string | undefined },
): Promise<DayCounter[]> {
  const items: unknown[] = [];
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": monthsPartition(accountId),
        ":first": from.slice(0, 7),
        ":last": to.slice(0, 7) + AFTER_ALL,
      },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) items.push(...Items);
  return items.flatMap(dayCountersOf).filter(({ date }) => date >= from && date <= to);
}

/** Logs of one UTC day that a filter lets through, newest first, after skipping some. */
export async function queryLogs(
  table: string,
  {
    accountId,
    date,
    skip,
    take,
    filter,
  }: {
    accountId: number;
    date: string;
    skip: number;
    take: number;
    filter: Pick<UsageFilter, "status" | "api_key_id">;
  },
): Promise<CaptureLog[]> {
  const conditions = [
    ...(filter.status === undefined ? [] : ["#status = :status"]),
    ...(filter.api_key_id === undefined ? [] : ["api_key_id = :key"]),
  ];
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ScanIndexForward: false,
      ConsistentRead: true,
      ExpressionAttributeValues: {
        ":pk": logPartition(accountId, date.slice(0, 7)),
        ":first": logKey(accountId, date.slice(0, 7), createId(Date.parse(date), 0)).sk,
        ":last": logKey(accountId, date.slice(0, 7), createId(Date.parse(date) + DAY_S * 1000, 0) - 1).sk,
        ...(filter.status !== undefined && { ":status": filter.status }),
        ...(filter.api_key_id !== undefined && { ":key": filter.api_key_id }),
      },
      ...(conditions.length > 0 && { FilterExpression: conditions.join(" AND ") }),
      ...(filter.status !== undefined && { ExpressionAttributeNames: { "#status": "status" } }),
    },
  );
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items);
    if (found.length >= skip + take) break;
  }
  return found.slice(skip, skip + take).map((item) => v.parse(CaptureLogSchema, item));
}
