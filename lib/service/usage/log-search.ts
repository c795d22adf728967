// Searches the capture logs of an account by what no counter knows, such as the format or a part of the address: it reads logs
// newest first, a limited number at once, and goes on where it ended.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Problem } from "../../contract/problems/problem.ts";
import type { ProblemCode } from "../../contract/problems/problem-kinds.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { partitionPages } from "../aws/partition-pages.ts";
import { logKey } from "../aws/table-keys.ts";
import { createId } from "../platform/ids.ts";
import { type CaptureLog, errorCodeOf } from "./capture-log.ts";
import { fromLogItem } from "./capture-log-item.ts";
import { DAY_MS, monthsBetween, startOfDay, utcMonth } from "./day.ts";
import { oldestShownDay } from "./retention.ts";
import { MAX_READ, type SearchFilter } from "./usage-options.ts";

export interface LogView {
  readonly activity: string;
  readonly accountId: number;
  readonly retentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type LogItem = Readonly<Record<string, unknown>>;

export interface SearchPosition {
  /** Only logs with a lower id, which are older; undefined for the newest. */
  readonly before: number | undefined;
  /** Maximum of logs. */
  readonly limit: number;
}

export interface FoundLogs {
  readonly logs: readonly CaptureLog[];
  /** The id before which the search goes on; undefined at its end. */
  readonly next: number | undefined;
}

/** Above this, pages as large as DynamoDB makes them take fewer round trips. */
const MAX_PAGE = 500;

/** Returns the newest logs that match. They can be fewer than the limit while the search still goes on. */
export async function searchLogs(
  view: LogView,
  filter: SearchFilter,
  { before, limit }: SearchPosition,
): Promise<FoundLogs> {
  const logs: CaptureLog[] = [];
  let read = 0;
  for await (const item of logsBefore(view, filter, {
    before,
    pageSize: isEmpty(filter) && limit < MAX_PAGE ? limit + 1 : undefined,
  })) {
    if (logs.length === limit || read === MAX_READ) return { logs, next: Number(item["sk"]) + 1 };
    read++;
    if (matches(item, filter)) logs.push(fromLogItem(item));
  }
  return { logs, next: undefined };
}

/** Yields all logs that match, newest first. */
export async function* allLogs(view: LogView, filter: SearchFilter): AsyncGenerator<CaptureLog> {
  for await (const item of logsBefore(view, filter, {})) {
    if (matches(item, filter)) yield fromLogItem(item);
  }
}

/** Finds a log by its id, as the item that is stored; undefined without one, or when it is older than the retention. */
export async function findLogItem(
  { activity, accountId, retentionDays, now }: LogView,
  id: number,
  time: number,
): Promise<LogItem | undefined> {
  if (time < startOfDay(oldestShownDay(now, retentionDays))) return undefined;
  const { pk, sk } = logKey(accountId, utcMonth(time), id);
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: activity,
      KeyConditionExpression: "pk = :pk AND sk = :sk",
      ExpressionAttributeValues: { ":pk": pk, ":sk": sk },
      ConsistentRead: true,
    }),
  );
  return Items[0];
}

/** Yields the stored logs of the filter's days, newest first, month after month. Eventually consistent, at half the price. */
async function* logsBefore(
  view: LogView,
  filter: Pick<SearchFilter, "from" | "to">,
  { before, pageSize }: { readonly before?: number | undefined; readonly pageSize?: number | undefined },
): AsyncGenerator<LogItem> {
  for (const { partition, first, last } of logRanges(view, filter, before)) {
    const range = { table: view.activity, partition, keys: { first, last } };
    for await (const { items } of partitionPages(range, { isConsistent: false, pageSize })) yield* items;
  }
}

/** The sort keys of logs in the partition of a month, both included. */
export interface LogRange {
  readonly partition: string;
  readonly first: string;
  readonly last: string;
}

/** Yields where the logs of the filter's days are, newest month first; only logs with an id lower than `before`. */
export function* logRanges(
  { accountId, retentionDays, now }: LogView,
  { from, to }: Pick<SearchFilter, "from" | "to">,
  before = Infinity,
): Generator<LogRange> {
  const oldest = startOfDay(oldestShownDay(now, retentionDays));
  const start = Math.max(oldest, from === undefined ? 0 : startOfDay(from));
  const end = Math.min(createId(now + 60_000, 0), to === undefined ? Infinity : createId(startOfDay(to) + DAY_MS, 0));
  const lowest = createId(start, 0);
  let highest = Math.min(end, before) - 1;
  for (const month of monthsBetween(start, now)) {
    const { pk: partition, sk: first } = logKey(accountId, month, lowest);
    yield { partition, first, last: logKey(accountId, month, Math.max(lowest, highest)).sk };
    highest = Math.min(highest, createId(Date.parse(`${month}-01T00:00:00Z`), 0) - 1);
    if (highest < lowest) return;
  }
}

/** True when the days are the only filter. */
function isEmpty({ from: _, to: __, ...others }: SearchFilter): boolean {
  return Object.values(others).every((each) => each === undefined);
}

/** True for the item of a log that matches a filter, apart from its days. An item leaves `cached` and `asynchronous` out where they are false. */
export function matches(item: LogItem, filter: SearchFilter): boolean {
  const { status, api_key_id, error_code, problem, format, cached, asynchronous, url } = filter;
  const { external_identifier: identifier } = filter;
  return (
    (status === undefined || item["status"] === status) &&
    (api_key_id === undefined || item["api_key_id"] === api_key_id) &&
    (error_code === undefined || errorCodeOf(item["error_message"] as string | undefined) === error_code) &&
    (format === undefined || item["format"] === format) &&
    (cached === undefined || (item["cached"] === true) === cached) &&
    (asynchronous === undefined || (item["asynchronous"] === true) === asynchronous) &&
    (problem === undefined || hasProblem(item, problem)) &&
    (identifier === undefined || loggedOption(item, "external_identifier") === identifier) &&
    (url === undefined || String(item["url"]).toLowerCase().includes(url.toLowerCase()))
  );
}

function hasProblem({ details }: LogItem, code: ProblemCode): boolean {
  const { problems = [] } = (details ?? {}) as { readonly problems?: readonly Pick<Problem, "code">[] };
  return problems.some((problem) => problem.code === code);
}

/** An option as it was sent; an item has only those that were. */
function loggedOption({ options }: LogItem, name: string): unknown {
  return (options as Readonly<Record<string, unknown>> | undefined)?.[name];
}
