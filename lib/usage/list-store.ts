// Pages of the list of captures: counters tell where a page lies, so that only its own logs are read, however deep it is.
import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { logKey } from "../aws/table-keys.ts";
import { createId } from "../platform/ids.ts";
import { type CaptureLog, CaptureLogSchema } from "./capture-log.ts";
import { type CounterQuery, queryDayCounters, queryHourItems } from "./counter-store.ts";
import { utcDay, utcMonth } from "./day.ts";
import { type DaySpan, daySpans, isFiltered, type StatusAndKey } from "./day-counter.ts";
import { minuteSpans, searchOrder } from "./hour-counter.ts";
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

/** Reading this many logs in vain costs more than the counters of the day's minutes, and one more round trip. */
const WORTH_LOCATING = 50;

export interface ListQuery extends CounterQuery {
  readonly activity: string;
}

/** One page of the captures that the filters let through, newest first, and the number of all of them. */
export async function listCaptures(
  view: ListQuery,
  options: ListOptions,
): Promise<{ readonly total: number; readonly logs: readonly CaptureLog[] }> {
  const days = daySpans(await queryDayCounters(view, options), options);
  const portion = { skip: (options.page - 1) * options.per_page, take: options.per_page };
  const shares = await Promise.all(slicePerSpan(days, portion).map((day) => located(view, day, options)));
  const parts = toReadRanges(shares.flat());
  const logs = await Promise.all(
    parts.map((part, index) => queryLogs(view, part, { filter: options, goesOn: index < parts.length - 1 })),
  );
  return { total: countMatches(days), logs: logs.flat() };
}

/** A day's share of the page, divided among its minutes where that saves reading. */
async function located(view: ListQuery, day: SpanSlice<DaySpan>, filter: StatusAndKey): Promise<SpanSlice[]> {
  if (day.take === 0 || countUnneededReads(day, isFiltered(filter)) <= WORTH_LOCATING) return [day];
  const spans = await lookInto(view, day, filter);
  // What came after the days were read is new, and no part of the list that they describe.
  const arrived = Math.max(0, countMatches(spans) - day.matches);
  return slicePerSpan(spans, { skip: arrived + day.skip, take: day.take });
}

/** The day as spans of minutes as far as the share is, from that end of the day which is nearer; the rest is one span. */
async function lookInto(view: ListQuery, day: SpanSlice<DaySpan>, { status }: StatusAndKey): Promise<TimeSpan[]> {
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
 * The logs of a stretch that a filter lets through, newest first. Where the page goes on in the next stretch it takes all
 * to the end of this one, so that a capture which arrives meanwhile leaves no gap between the two.
 */
async function queryLogs(
  { activity, accountId }: ListQuery,
  { from, to, skip, take }: ReadRange,
  { filter, goesOn }: { filter: StatusAndKey; goesOn: boolean },
): Promise<CaptureLog[]> {
  const first = logKey(accountId, utcMonth(from), createId(from, 0));
  const last = logKey(accountId, utcMonth(from), createId(to, 0) - 1);
  const { values, ...filtering } = filteringOf(filter);
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: activity,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: { ":pk": first.pk, ":first": first.sk, ":last": last.sk, ...values },
      ScanIndexForward: false,
      ConsistentRead: true,
      // A limit counts what is read, not what passes a filter; stretches of filtered lists are short instead.
      ...(isFiltered(filter) ? filtering : !goesOn && { Limit: skip + take }),
    },
  );
  const found: unknown[] = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items);
    if (!goesOn && found.length >= skip + take) break;
  }
  const taken = goesOn ? found.slice(-take) : found.slice(skip, skip + take);
  return taken.map((item) => v.parse(CaptureLogSchema, item));
}

function filteringOf({ status, api_key_id }: StatusAndKey) {
  const wanted = Object.entries({ status, api_key_id }).filter(([, value]) => value !== undefined);
  return {
    FilterExpression: wanted.map(([name]) => `#${name} = :${name}`).join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(wanted.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(wanted.map(([name, value]) => [`:${name}`, value])),
  };
}
