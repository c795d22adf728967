// Options of the usage list and the statistics: filters, date range and page.
import * as v from "valibot";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import { choice, flag, integer, text } from "../../contract/options/coercion.ts";
import { formats } from "../../contract/options/formats.ts";
import { inputForm, option } from "../../contract/options/option.ts";
import { optionParser, type SentNames } from "../../contract/options/parse-options.ts";
import { problemCodes } from "../../contract/problems/problem-kinds.ts";
import { DAY_MS, utcDay } from "./day.ts";

const DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A UTC date as `2026-01-31`. */
const date = inputForm(
  v.pipe(
    v.string("must be a date such as 2026-01-31"),
    v.regex(DATE_FORM, "must be a date such as 2026-01-31"),
    v.check((text) => !DATE_FORM.test(text) || isDay(text), "is not a valid date"),
  ),
  { type: "string", format: "date", examples: ["2026-01-31"] },
);

const filters = {
  status: v.optional(option(choice(["success", "failed"]), { description: "Return only captures with this status." })),
  api_key_id: v.optional(
    option(integer(0, Number.MAX_SAFE_INTEGER), { description: "Return only captures of the API key with this id." }),
  ),
  from: v.optional(option(date, { description: "First day of the range, in UTC." })),
  to: v.optional(option(date, { description: "Last day of the range, in UTC." })),
};

/** Options of the usage list. */
export const listEntries = {
  ...filters,
  page: v.optional(option(integer(1, 1_000_000_000), { description: "Page number, starting at 1." }), 1),
  per_page: v.optional(option(integer(1, 100), { description: "Number of captures per page." }), 25),
};

export const MAX_SPAN_DAYS = 90;

/** Logs that one search reads at most: about a megabyte and a half, for any filter. */
export const MAX_READ = 2_000;

/** Options of the statistics. */
export const statisticsEntries = {
  ...filters,
  days: v.optional(
    option(integer(1, MAX_SPAN_DAYS), {
      description:
        "Number of days up to `to`, which is today by default. Send `from` instead for a range that starts on a day.",
    }),
    7,
  ),
};

const searchFilters = {
  ...filters,
  error_code: v.optional(
    option(choice(Object.keys(errorKinds) as ErrorCode[]), {
      description: "Return only captures that failed with this error code.",
    }),
  ),
  problem: v.optional(option(choice(problemCodes), { description: "Return only captures with this problem." })),
  format: v.optional(option(choice(formats), { description: "Return only captures of this format." })),
  cached: v.optional(option(flag(), { description: "Return only captures that the cache answered, or did not." })),
  asynchronous: v.optional(option(flag(), { description: "Return only captures that were queued, or were not." })),
  external_identifier: v.optional(
    option(text(64), { description: "Return only captures that were sent with this `external_identifier`, exactly." }),
  ),
  url: v.optional(
    option(text(500), { description: "Return only captures whose URL contains this text, in capitals or not." }),
  ),
};

/** Options of a search. */
export const searchEntries = {
  ...searchFilters,
  before: v.optional(
    option(integer(1, Number.MAX_SAFE_INTEGER), {
      description: "Return only captures with a lower id, which are older: the `next_before` of a search.",
    }),
  ),
  limit: v.optional(option(integer(1, 100), { description: "Maximum number of captures." }), 25),
};

/** Captures of an export that is streamed: Lambda streams 200 MB at most, for 300 seconds. */
export const MAX_STREAMED_EXPORT = 100_000;

export const exportTypes = ["csv", "ndjson"] as const;
export type ExportType = (typeof exportTypes)[number];

/** Options of an export. */
export const exportEntries = {
  ...searchFilters,
  output: v.optional(
    option(choice(exportTypes), {
      description: "`csv` for spreadsheets, `ndjson` for programs: one JSON object a line, as in the list.",
    }),
    "csv",
  ),
};

const listSchema = v.object(listEntries);
const statisticsSchema = v.object(statisticsEntries);

export type UsageFilter = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>;
export type ListOptions = v.InferOutput<typeof listSchema>;
export type StatisticsOptions = v.InferOutput<typeof statisticsSchema>;

const searchSchema = v.object(searchEntries);
const exportSchema = v.object(exportEntries);

export type SearchOptions = v.InferOutput<typeof searchSchema>;
export type ExportOptions = v.InferOutput<typeof exportSchema>;
export type SearchFilter = v.InferOutput<v.ObjectSchema<typeof searchFilters, undefined>>;

/** Parses the query of a search. Throws `VALIDATION_ERROR`. */
export const parseSearchOptions = optionParser({ schema: searchSchema, rules: checkDateOrder });

/** Parses the query of an export. Throws `VALIDATION_ERROR`. */
export const parseExportOptions = optionParser({ schema: exportSchema, rules: checkDateOrder });

/** Parses the query of the usage list. Throws `VALIDATION_ERROR`. */
export const parseListOptions = optionParser({ schema: listSchema, rules: checkDateOrder });

/** Parses the query of the statistics. Throws `VALIDATION_ERROR`. */
export const parseStatisticsOptions = optionParser({ schema: statisticsSchema, rules: checkDateRange });

function* checkDateOrder({ from, to }: Partial<UsageFilter>): Generator<[string, string]> {
  if (from !== undefined && to !== undefined && from > to) yield ["to", "must not be before 'from'"];
}

function* checkDateRange({ from, to }: Partial<UsageFilter>, { requested }: SentNames): Generator<[string, string]> {
  yield* checkDateOrder({ from, to });
  if (requested.has("to") && !requested.has("from") && !requested.has("days"))
    yield ["to", "needs the first day of the range as 'from', or a number of 'days' up to 'to'"];
  if (from !== undefined && !requested.has("to")) {
    const today = utcDay(Date.now());
    if (from > today) yield ["from", "must not be after today without 'to'"];
    if (spanDays(from, today) > MAX_SPAN_DAYS)
      yield ["from", `must be within ${MAX_SPAN_DAYS} days of today without 'to'`];
  }
  if (from !== undefined && to !== undefined && spanDays(from, to) > MAX_SPAN_DAYS)
    yield ["to", `must be within ${MAX_SPAN_DAYS} days of 'from'`];
}

/** Days from one to another, both included. */
function spanDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}
