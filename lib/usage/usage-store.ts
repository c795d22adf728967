// Logs in the Activity table and their counters in the Usage table, written together or not at all.
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { paginateQuery, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { UsageFilter } from "../contract/usage-options.ts";
import { dynamodb } from "../platform/clients.ts";
import { dayCounterKey, dayCounterRange, logKey, logPartition } from "../platform/table-keys.ts";
import { type CaptureEvent, type CaptureLog, CaptureLogSchema, createCaptureLog, dayOf } from "./capture-log.ts";
import { type DayCounter, DayCounterSchema } from "./day-counter.ts";

const RETENTION_DAYS = 400;
const MAX_COLLISIONS = 8;

/**
 * Writes a log with its counter in one transaction, so that no crash leaves them apart. The wanted id can be taken by
 * a capture of the same account that began in the same millisecond; the next free one is used then, and returned.
 * The SDK sends a token with the transaction, so its own retries write once.
 */
export async function recordCapture(
  tables: { activity: string; usage: string },
  wantedId: number,
  event: CaptureEvent,
): Promise<number> {
  for (let id = wantedId; ; id++) {
    try {
      await dynamodb().send(recording(tables, createCaptureLog(id, event)));
      return id;
    } catch (error) {
      if (!isTaken(error) || id - wantedId >= MAX_COLLISIONS) throw error;
    }
  }
}

function recording(tables: { activity: string; usage: string }, log: CaptureLog): TransactWriteCommand {
  const date = dayOf(log.id);
  const ttl = Math.floor(Date.parse(date) / 1000) + RETENTION_DAYS * 24 * 60 * 60;
  return new TransactWriteCommand({
    TransactItems: [
      {
        Put: {
          TableName: tables.activity,
          Item: { ...logKey(log.user_id, date, log.id), ...log, ttl },
          ConditionExpression: "attribute_not_exists(pk)",
        },
      },
      {
        Update: {
          TableName: tables.usage,
          Key: dayCounterKey(log.user_id, date, log.api_key_id),
          UpdateExpression: "SET #date = :date, api_key_id = :key, #ttl = :ttl ADD #count :one, #time :ms",
          ExpressionAttributeNames: {
            "#date": "date",
            "#ttl": "ttl",
            "#count": log.status,
            "#time": `${log.status}_ms`,
          },
          ExpressionAttributeValues: {
            ":date": date,
            ":key": log.api_key_id,
            ":ttl": ttl,
            ":one": 1,
            ":ms": log.response_time_ms,
          },
        },
      },
    ],
  });
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException && error.CancellationReasons?.[0]?.Code === "ConditionalCheckFailed"
  );
}

/** The counters of an account from one UTC day to another, both included; without bounds all that are kept. */
export async function queryDayCounters(
  table: string,
  accountId: number,
  { from = "0000-00-00", to = "9999-12-31" }: { from?: string | undefined; to?: string | undefined },
): Promise<DayCounter[]> {
  const { pk, first, last } = dayCounterRange(accountId, from, to);
  const counters: DayCounter[] = [];
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: { ":pk": pk, ":first": first, ":last": last },
    },
  );
  for await (const { Items = [] } of pages) counters.push(...Items.map((item) => v.parse(DayCounterSchema, item)));
  return counters;
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
      KeyConditionExpression: "pk = :pk",
      ScanIndexForward: false,
      ExpressionAttributeValues: {
        ":pk": logPartition(accountId, date),
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
