// The usage list: page-number pagination over DynamoDB. Counters locate the page, so that only its own log entries are
// read, regardless of the page number.
import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { logKey } from "../aws/table-keys.ts";
import { createId } from "../platform/ids.ts";
import type { CaptureLog } from "./capture-log.ts";
import { fromLogItem } from "./capture-log-item.ts";
import { type CounterQuery, queryDayCounters, queryHourItems } from "./counter-store.ts";
import { utcDay, utcMonth } from "./day.ts";
import { type DaySpan, daySpans, isFiltered, type StatusAndKey } from "./day-counter.ts";
import { minuteSpans, searchOrder } from "./minute-counter-item.ts";
import {
  countMatches,
  countUnneededReads,
  type ReadRange,
  type SpanSlice,
  slicePerSpan,
  type TimeSpan,
  toReadRanges,
} from "./span.ts";
import type { ListOptions } from "./usage-options.ts";

/**
 * Reading this many log entries outside the page costs more than reading the day's minute counters in another round
 * trip.
 */
const MAX_UNNEEDED_LOGS = 50;

export interface ListQuery extends CounterQuery {
  readonly activity: string;
}

/** Returns one page of the captures that match the filters, newest first, and the total number of matches. */
export async function queryCaptures(
  view: ListQuery,
  options: ListOptions,
): Promise<{ readonly total: number; readonly logs: readonly CaptureLog[] }> {
  const days = daySpans(await queryDayCounters(view, options), options);
  const slice = { skip: (options.page - 1) * options.per_page, take: options.per_page };
  const slices = await Promise.all(slicePerSpan(days, slice).map((day) => divideDay(view, day, options)));
  const ranges = toReadRanges(slices.flat());
  const logs = await Promise.all(
    ranges.map((range, index) => queryLogs(view, range, { filter: options, continues: index < ranges.length - 1 })),
  );
  return { total: countMatches(days), logs: logs.flat() };
}

/** Divides a day's slice of the page into minutes when that saves reads. */
async function divideDay(view: ListQuery, day: SpanSlice<DaySpan>, filter: StatusAndKey): Promise<SpanSlice[]> {
  if (day.take === 0 || countUnneededReads(day, isFiltered(filter)) <= MAX_UNNEEDED_LOGS) return [day];
  const spans = await readMinuteSpans(view, day, filter);
  // Captures recorded after the day counters were read are not range of this list.
  const newMatches = Math.max(0, countMatches(spans) - day.matches);
  return slicePerSpan(spans, { skip: newMatches + day.skip, take: day.take });
}

/**
 * Divides the day into minute spans up to the slice, starting from the nearer end of the day; the rest stays one span.
 */
async function readMinuteSpans(
  view: ListQuery,
  day: SpanSlice<DaySpan>,
  { status }: StatusAndKey,
): Promise<TimeSpan[]> {
  const date = utcDay(day.from);
  const isNewestFirst = day.skip + day.take <= day.matches / 2;
  const needed = isNewestFirst ? day.skip + day.take : day.matches - day.skip;
  let seen: TimeSpan[] = [];
  for (const hours of searchOrder(day, { isNewestFirst, share: needed / day.matches, now: view.now })) {
    const items = await Promise.all(day.keys.map((apiKeyId) => queryHourItems(view, { date, apiKeyId, hours })));
    const spans = minuteSpans(day, items.flat(), { status, hours });
    seen = isNewestFirst ? [...seen, ...spans] : [...spans, ...seen];
    if (countMatches(seen) >= needed) break;
  }
  const matches = Math.max(0, day.matches - countMatches(seen));
  const older = { from: day.from, to: seen.at(-1)?.from ?? day.to, matches, others: 0 };
  const newer = { from: seen.at(0)?.to ?? day.from, to: day.to, matches, others: 0 };
  return [newer, ...seen, older].filter(({ from, to }) => from < to);
}

/**
 * Returns the matching log entries of a range, newest first. When the page continues in the next range, it reads to the
 * end of this one, so that a capture recorded meanwhile leaves no gap.
 */
async function queryLogs(
  { activity, accountId }: ListQuery,
  { from, to, skip, take }: ReadRange,
  { filter, continues }: { filter: StatusAndKey; continues: boolean },
): Promise<CaptureLog[]> {
  const first = logKey(accountId, utcMonth(from), createId(from, 0));
  const last = logKey(accountId, utcMonth(from), createId(to, 0) - 1);
  const { values, ...filterParams } = filterExpression(filter);
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: activity,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: { ":pk": first.pk, ":first": first.sk, ":last": last.sk, ...values },
      ScanIndexForward: false,
      ConsistentRead: true,
      // DynamoDB applies `Limit` before the filter; ranges of filtered lists are kept short instead.
      ...(isFiltered(filter) ? filterParams : !continues && { Limit: skip + take }),
    },
  );
  const found: unknown[] = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items);
    if (!continues && found.length >= skip + take) break;
  }
  const page = continues ? found.slice(-take) : found.slice(skip, skip + take);
  return page.map(fromLogItem);
}

function filterExpression({ status, api_key_id }: StatusAndKey) {
  const conditions = Object.entries({ status, api_key_id }).filter(([, value]) => value !== undefined);
  return {
    FilterExpression: conditions.map(([name]) => `#${name} = :${name}`).join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(conditions.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(conditions.map(([name, value]) => [`:${name}`, value])),
  };
}
