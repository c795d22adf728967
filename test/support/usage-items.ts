// Captures of the past as the items of the tables, for tests and measurements that need more of them than can be recorded
// one by one.
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../../lib/aws/clients/dynamodb.ts";
import { hourKey, logKey, monthKey } from "../../lib/aws/table-keys.ts";
import { type CaptureLog, logTime } from "../../lib/usage/capture-log.ts";
import { lastDayOfMonth } from "../../lib/usage/day.ts";
import { minuteIncrements } from "../../lib/usage/hour-counter.ts";
import { dayIncrements } from "../../lib/usage/month-counter.ts";
import { ttlSeconds } from "../../lib/usage/retention.ts";

type Item = Record<string, unknown>;

/** Logs as items, but for the attempts that wrote them. */
export function logItems(logs: readonly CaptureLog[], retentionDays = RETENTION_DAYS): Item[] {
  return logs.map((log) => {
    const { month, date } = logTime(log.id);
    return { ...logKey(log.user_id, month, log.id), ...log, ttl: ttlSeconds(date, retentionDays) };
  });
}

/** The counters of logs by day. */
export function monthItems(logs: readonly CaptureLog[], retentionDays = RETENTION_DAYS): Item[] {
  return added(logs, (log) => {
    const { month, day } = logTime(log.id);
    const key = monthKey(log.user_id, month, log.api_key_id);
    return { key, ttl: ttlSeconds(lastDayOfMonth(month), retentionDays), counts: dayIncrements(day, log) };
  });
}

/** The counters of logs by minute. */
export function hourItems(logs: readonly CaptureLog[], retentionDays = RETENTION_DAYS): Item[] {
  return added(logs, (log) => {
    const { date, hour, minute } = logTime(log.id);
    const key = hourKey(log.user_id, date, log.api_key_id, hour);
    return { key, ttl: ttlSeconds(date, retentionDays), counts: minuteIncrements(minute, log) };
  });
}

const RETENTION_DAYS = 400;

interface Counting {
  readonly key: Item;
  readonly ttl: number;
  readonly counts: Readonly<Record<string, number>>;
}

function added(logs: readonly CaptureLog[], countingOf: (log: CaptureLog) => Counting): Item[] {
  const items = new Map<string, Item>();
  for (const log of logs) {
    const { key, ttl, counts } = countingOf(log);
    const id = JSON.stringify(key);
    const item = items.get(id) ?? { ...key, api_key_id: log.api_key_id, ttl };
    items.set(id, item);
    for (const [name, amount] of Object.entries(counts)) item[name] = Number(item[name] ?? 0) + amount;
  }
  return [...items.values()];
}

const AT_ONCE = 25;

/** Writes items in batches; those of the table with the same keys are replaced. */
export async function writeItems(table: string, items: readonly Item[]): Promise<void> {
  for (let done = 0; done < items.length; done += AT_ONCE) {
    let requests = items.slice(done, done + AT_ONCE).map((Item): object => ({ PutRequest: { Item } }));
    while (requests.length > 0) {
      const { UnprocessedItems } = await dynamodb().send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      requests = UnprocessedItems?.[table] ?? [];
    }
  }
}
